package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.HttpVersion;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.StreamListener;
import java.util.List;

/**
 * Bare protobuf by POST, without a protocol: unary calls by clients that know nothing but HTTP. A
 * failure is text. One for each content type. Any thread.
 */
final class PlainProtocol extends CallProtocol {

  /** What people call protobuf who do not say {@code application/proto}. */
  static final List<String> CONTENT_TYPES =
      List.of(
          "application/x-protobuf",
          "application/protobuf",
          "application/x-proto",
          "application/octet-stream");

  private static final String JSON = "application/json";

  private final String contentType;
  private final BodyHeads heads;
  private final BodyHeads jsonHeads;
  private final CallRefusals refusals = CallRefusals.of(status -> refuse(status, null, null));

  PlainProtocol(String contentType, Codings codings) {
    super("proto", true, codings);
    this.contentType = contentType;
    this.heads = new BodyHeads(contentType, codings);
    this.jsonHeads = new BodyHeads(JSON, codings);
  }

  @Override
  public String name() {
    return "http";
  }

  @Override
  public List<String> contentTypes() {
    return List.of(contentType);
  }

  @Override
  public boolean serves(BoundMethod<?, ?> method) {
    return method.method().kind() == Method.Kind.UNARY;
  }

  @Override
  public CallRefusals refusals() {
    return refusals;
  }

  @Override
  public Status malformed(String text) {
    return Status.INVALID_ARGUMENT.withMessage(text);
  }

  @Override
  public HeaderName encodingField() {
    return HeaderName.CONTENT_ENCODING;
  }

  @Override
  HeaderName acceptField() {
    return HeaderName.ACCEPT_ENCODING;
  }

  @Override
  long timeoutNanos(Headers headers) {
    return Timeout.NONE;
  }

  @Override
  Opening fault(Headers headers, BoundMethod<?, ?> method, HttpVersion version) {
    return null;
  }

  @Override
  Refusal refuse(Status status, HeaderName name, String value) {
    return Refusal.of(status, BodyHeads.textError(status.code()), name, value, PlainCall::text);
  }

  @Override
  Refusal malformedField(String text) {
    return refuse(malformed(text), null, null);
  }

  /** JSON if the client names it before any protobuf; otherwise as requests are. */
  @Override
  <R> Codec<R> responseCodec(Headers headers, Codec<R> own) {
    String accept = headers.get(HeaderName.ACCEPT);
    if (accept != null) {
      for (String item : accept.split(",", -1)) {
        String type = Protocols.essence(item.strip());
        Codec<R> json = type.equals(JSON) ? codings().codec(own, "json") : null;
        if (json != null) {
          return json;
        }
        if (CONTENT_TYPES.contains(type)) {
          return own;
        }
      }
    }
    return own;
  }

  @Override
  ResponseHead responseHead(Compressor compressor, boolean advertise) {
    return heads.response(null);
  }

  /** The header sections of responses by a codec. */
  BodyHeads heads(boolean own) {
    return own ? heads : jsonHeads;
  }

  @Override
  public <Q, R> StreamListener open(HttpStream stream, RequestHead<Q, R> head, boolean end) {
    PlainCall<Q, R> call = new PlainCall<>(stream, head);
    call.beginBody(end);
    return call;
  }
}
