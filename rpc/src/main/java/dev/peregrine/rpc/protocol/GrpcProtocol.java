package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.HttpVersion;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.StreamListener;
import java.util.List;

/** gRPC over HTTP/2 and later (PROTOCOL-HTTP2) with one codec. Any thread. */
class GrpcProtocol extends CallProtocol {

  /** The answer to a call by another HTTP method. */
  static final Refusal NOT_POST =
      Refusal.http(405, Status.INTERNAL.withMessage("a call needs POST"), HeaderName.ALLOW, "POST");

  private static final Refusal NOT_HTTP2 =
      Refusal.http(
          505,
          Status.INTERNAL.withMessage(
              "gRPC needs HTTP/2; over HTTP/1.1 use gRPC-Web, Connect or JSON"));

  private static final String PREFIX = GrpcHeads.CONTENT_TYPE;

  private final String prefix;
  private final GrpcHeads heads;
  private final CallRefusals refusals;

  /**
   * gRPC with one codec.
   *
   * @param isDefault whether it stands for {@code application/grpc} without a sub-type, too
   */
  GrpcProtocol(String subtype, boolean isDefault, Codings codings) {
    this(PREFIX, subtype, isDefault, codings);
  }

  /** A relative of gRPC whose content types begin otherwise. */
  GrpcProtocol(String prefix, String subtype, boolean isDefault, Codings codings) {
    super(subtype, isDefault, codings);
    this.prefix = prefix;
    this.heads = new GrpcHeads(isDefault ? prefix : prefix + "+" + subtype, codings);
    this.refusals = CallRefusals.of(status -> refuse(status, null, null));
  }

  @Override
  public String name() {
    return "grpc";
  }

  @Override
  public final List<String> contentTypes() {
    String full = prefix + "+" + subtype();
    return isDefault() ? List.of(prefix, prefix + "+", full) : List.of(full);
  }

  @Override
  public final boolean serves(BoundMethod<?, ?> method) {
    return true;
  }

  @Override
  public final CallRefusals refusals() {
    return refusals;
  }

  @Override
  public final Status malformed(String text) {
    return Status.INTERNAL.withMessage(text);
  }

  @Override
  public final HeaderName encodingField() {
    return HeaderName.GRPC_ENCODING;
  }

  @Override
  final HeaderName acceptField() {
    return HeaderName.GRPC_ACCEPT_ENCODING;
  }

  /** The header sections of this content type. */
  final GrpcHeads heads() {
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
  final long timeoutNanos(Headers headers) {
    String timeout = headers.get(HeaderName.GRPC_TIMEOUT);
    return timeout == null ? Timeout.NONE : Timeout.parse(timeout);
  }

  @Override
  final Opening fault(Headers headers, BoundMethod<?, ?> method, HttpVersion version) {
    Opening unfit = unfit(method, version);
    if (unfit != null) {
      return unfit;
    }
    if (!"POST".equals(headers.get(HeaderName.METHOD))) {
      return NOT_POST;
    }
    return method == null
        ? refuse(
            Status.UNIMPLEMENTED.withMessage("no method " + headers.get(HeaderName.PATH)),
            null,
            null)
        : null;
  }

  /** Why a method cannot be called over a version of HTTP, or {@code null}. */
  Opening unfit(BoundMethod<?, ?> method, HttpVersion version) {
    return version.multiplexed() ? null : NOT_HTTP2;
  }

  @Override
  final Refusal refuse(Status status, HeaderName name, String value) {
    return Refusal.trailersOnly(heads, status, name, value);
  }

  @Override
  final Refusal malformedField(String text) {
    return Refusal.http(400, Status.INTERNAL.withMessage(text));
  }

  @Override
  final ResponseHead responseHead(Compressor compressor, boolean advertise) {
    return heads.response(compressor, advertise);
  }

  @Override
  public <Q, R> StreamListener open(HttpStream stream, RequestHead<Q, R> head, boolean end) {
    GrpcCall<Q, R> call = new GrpcCall<>(stream, head);
    call.begin(end);
    return call;
  }
}
