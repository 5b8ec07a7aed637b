package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.StreamListener;
import java.util.Base64;

/** gRPC over HTTP/2: which requests are proper, and what the others are told. Any thread. */
final class GrpcProtocol implements Protocol {

  /** The answer to a call by another HTTP method. */
  static final Refusal NOT_POST =
      Refusal.http(405, Status.INTERNAL.withMessage("a call needs POST"), HeaderName.ALLOW, "POST");

  private static final String PREFIX = GrpcHeads.CONTENT_TYPE;

  @Override
  public String name() {
    return "grpc";
  }

  /**
   * Case-insensitive prefix, then the end, a sub-type or a parameter: not "application/grpc-web".
   */
  @Override
  public boolean accepts(String contentType) {
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
  public Opening resolve(Headers headers, BoundMethod<?, ?> method, Router router) {
    if (!"POST".equals(headers.get(HeaderName.METHOD))) {
      return NOT_POST;
    }
    String subtype = subtype(headers.get(HeaderName.CONTENT_TYPE));
    if (!subtype.equals("proto")) {
      return Refusal.http(
          415,
          Status.INTERNAL.withMessage(
              "content-type application/grpc+" + subtype + " is not served here: use +proto"));
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
    if (encoding != null && !encoding.equals("identity")) {
      return Refusal.trailersOnly(
          Status.UNIMPLEMENTED.withMessage("grpc-encoding " + encoding + " is not supported"),
          HeaderName.GRPC_ACCEPT_ENCODING,
          "identity");
    }
    return head(headers, method, timeoutNanos, router);
  }

  private <Q, R> RequestHead<Q, R> head(
      Headers headers, BoundMethod<Q, R> method, long timeoutNanos, Router router) {
    return new RequestHead<>(this, method, headers, timeoutNanos, router, router.dispatch(method));
  }

  /** What stands behind the plus sign; "proto" if nothing does. */
  private static String subtype(String contentType) {
    int end = contentType.indexOf(';');
    String type = (end < 0 ? contentType : contentType.substring(0, end)).strip();
    return type.length() > PREFIX.length() + 1
        ? type.substring(PREFIX.length() + 1).toLowerCase(java.util.Locale.ROOT)
        : "proto";
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
