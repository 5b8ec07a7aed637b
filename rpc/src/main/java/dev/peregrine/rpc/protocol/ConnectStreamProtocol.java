package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.StreamListener;
import java.util.List;

/** Connect's streams with one codec. Any thread. */
final class ConnectStreamProtocol extends ConnectProtocol {

  private final String contentType;
  private final CodedHeads heads;
  private final CallRefusals refusals;

  ConnectStreamProtocol(String subtype, boolean isDefault, Codings codings) {
    super(subtype, isDefault, codings);
    this.contentType = "application/connect+" + subtype;
    this.heads =
        new CodedHeads(
            contentType,
            HeaderName.CONNECT_CONTENT_ENCODING,
            HeaderName.CONNECT_ACCEPT_ENCODING,
            codings);
    this.refusals = CallRefusals.of(status -> refuse(status, null, null));
  }

  @Override
  public List<String> contentTypes() {
    return List.of(contentType);
  }

  @Override
  public boolean serves(BoundMethod<?, ?> method) {
    return method.method().kind() != Method.Kind.UNARY;
  }

  @Override
  public CallRefusals refusals() {
    return refusals;
  }

  @Override
  public HeaderName encodingField() {
    return HeaderName.CONNECT_CONTENT_ENCODING;
  }

  @Override
  HeaderName acceptField() {
    return HeaderName.CONNECT_ACCEPT_ENCODING;
  }

  @Override
  ResponseHead responseHead(Compressor compressor, boolean advertise) {
    return heads.response(compressor, advertise);
  }

  /** The status of a stream is 200, whatever the end of the stream says. */
  @Override
  Refusal refuse(Status status, HeaderName name, String value) {
    return Refusal.of(
        status, heads.plain(), name, value, told -> ConnectStreamCall.lastEnvelope(told, null));
  }

  @Override
  public <Q, R> StreamListener open(HttpStream stream, RequestHead<Q, R> head, boolean end) {
    ConnectStreamCall<Q, R> call = new ConnectStreamCall<>(stream, head);
    call.begin(end);
    return call;
  }
}
