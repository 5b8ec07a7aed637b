package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.StreamListener;
import java.util.Base64;

/**
 * gRPC over HTTP/2 with one codec: which requests are proper, and what the others are told. Any
 * thread.
 */
final class GrpcProtocol implements Protocol {

  /** The answer to a call by another HTTP method. */
  static final Refusal NOT_POST =
      Refusal.http(405, Status.INTERNAL.withMessage("a call needs POST"), HeaderName.ALLOW, "POST");

  private static final String PREFIX = GrpcHeads.CONTENT_TYPE;

  private final String subtype;
  private final boolean isDefault;
  private final Codings codings;
  private final GrpcHeads heads;

  /**
   * gRPC with one codec.
   *
   * @param isDefault whether it stands for {@code application/grpc} without a sub-type, too
   */
  GrpcProtocol(String subtype, boolean isDefault, Codings codings) {
    this.subtype = subtype;
    this.isDefault = isDefault;
    this.codings = codings;
    this.heads =
        new GrpcHeads(isDefault ? PREFIX : PREFIX + "+" + subtype).withCompressors(codings);
  }

  @Override
  public String name() {
    return "grpc";
  }

  /** The header sections of this content type. */
  GrpcHeads heads() {
    return heads;
  }

  /**
   * Whether a content type is gRPC at all: case-insensitive prefix, then the end, a sub-type or a
   * parameter. So not "application/grpc-web".
   */
  static boolean isGrpc(String contentType) {
    if (contentType == null || !contentType.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
      return false;
    }
    if (contentType.length() == PREFIX.length()) {
      return true;
    }
    char next = contentType.charAt(PREFIX.length());
    return next == '+' || next == ';' || next == ' ';
  }

  @Override
  public boolean accepts(String contentType) {
    if (!isGrpc(contentType)) {
      return false;
    }
    String type = essence(contentType);
    return type.length() <= PREFIX.length() + 1
        ? isDefault
        : type.substring(PREFIX.length() + 1).equalsIgnoreCase(subtype);
  }

  /** A content type without its parameters. */
  static String essence(String contentType) {
    int end = contentType.indexOf(';');
    return (end < 0 ? contentType : contentType.substring(0, end)).strip();
  }

  @Override
  public Opening resolve(Headers headers, BoundMethod<?, ?> method, Router router) {
    if (!"POST".equals(headers.get(HeaderName.METHOD))) {
      return NOT_POST;
    }
    if (method == null) {
      return Refusal.trailersOnly(
          Status.UNIMPLEMENTED.withMessage("no method " + headers.get(HeaderName.PATH)));
    }
    long timeoutNanos = Timeout.NONE;
    String timeout = headers.get(HeaderName.GRPC_TIMEOUT);
    if (timeout != null) {
      timeoutNanos = Timeout.parse(timeout);
      if (timeoutNanos == Timeout.MALFORMED) {
        return Refusal.http(400, Status.INTERNAL.withMessage("malformed grpc-timeout"));
      }
    }
    String fault = malformedBinary(headers);
    if (fault != null) {
      return Refusal.http(
          400, Status.INTERNAL.withMessage("the value of " + fault + " is not base64"));
    }
    String encoding = headers.get(HeaderName.GRPC_ENCODING);
    if (encoding != null && !encoding.equals("identity") && codings.compressor(encoding) == null) {
      return Refusal.trailersOnly(
          Status.UNIMPLEMENTED.withMessage("grpc-encoding " + encoding + " is not supported"),
          HeaderName.GRPC_ACCEPT_ENCODING,
          codings.acceptList());
    }
    return head(headers, method, bounded(timeoutNanos, method.limits()), router);
  }

  /** The timeout of a call within the limits of the server. */
  private static long bounded(long timeoutNanos, Limits limits) {
    long wantedNanos = timeoutNanos == Timeout.NONE ? limits.defaultDeadlineNanos() : timeoutNanos;
    long nanos = Math.min(wantedNanos, limits.maxDeadlineNanos());
    return nanos == Limits.NONE_NANOS ? Timeout.NONE : nanos;
  }

  private <Q, R> Opening head(
      Headers headers, BoundMethod<Q, R> bound, long timeoutNanos, Router router) {
    Method<Q, R> method = bound.method();
    Codec<Q> requests = codec(method.requestCodec());
    Codec<R> responses = codec(method.responseCodec());
    if (requests == null || responses == null) {
      return Refusal.http(
          415, Status.INTERNAL.withMessage(method + " is not served as " + subtype));
    }
    String encoding = headers.get(HeaderName.GRPC_ENCODING);
    Compressor compressor = encoding == null ? null : codings.compressor(encoding);
    // Without an accept list, only what the client itself used is safe to send.
    String accepted = headers.get(HeaderName.GRPC_ACCEPT_ENCODING);
    Compressor answer = accepted == null ? compressor : codings.firstAccepted(accepted);
    MessageCoding<Q, R> coding =
        new MessageCoding<>(
            requests, responses, compressor, answer, heads.response(answer, accepted != null));
    return new RequestHead<>(
        this, bound, headers, coding, timeoutNanos, router, router.dispatch(bound));
  }

  /** A method's own codec stands for the default sub-type, whatever its name. */
  private <T> Codec<T> codec(Codec<T> own) {
    return isDefault ? own : codings.codec(own, subtype);
  }

  /** The first {@code -bin} field whose value is not base64, or {@code null}. */
  private static String malformedBinary(Headers headers) {
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i).toString();
      if (name.endsWith("-bin") && !isBase64(headers.value(i))) {
        return name;
      }
    }
    return null;
  }

  /** Padded or not; values joined by commas are separate ones. */
  private static boolean isBase64(String joined) {
    try {
      for (String value : joined.split(",", -1)) {
        Base64.getDecoder().decode(value.strip());
      }
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public <Q, R> StreamListener open(HttpStream stream, RequestHead<Q, R> head, boolean end) {
    GrpcCall<Q, R> call = new GrpcCall<>(stream, head);
    call.begin(end);
    return call;
  }
}
