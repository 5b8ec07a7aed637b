package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.StreamListener;
import java.util.List;

/** Connect's unary calls with one codec. Any thread. */
final class ConnectUnaryProtocol extends ConnectProtocol {

  private final BodyHeads heads;
  private final CallRefusals refusals = CallRefusals.of(status -> refuse(status, null, null));

  ConnectUnaryProtocol(String subtype, boolean isDefault, Codings codings) {
    super(subtype, isDefault, codings);
    this.heads = new BodyHeads("application/" + subtype, codings);
  }

  @Override
  public List<String> contentTypes() {
    return List.of("application/" + subtype());
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
  public HeaderName encodingField() {
    return HeaderName.CONTENT_ENCODING;
  }

  @Override
  HeaderName acceptField() {
    return HeaderName.ACCEPT_ENCODING;
  }

  /** The header sections of responses. */
  BodyHeads heads() {
    return heads;
  }

  @Override
  ResponseHead responseHead(Compressor compressor, boolean advertise) {
    return heads.response(null);
  }

  @Override
  Refusal refuse(Status status, HeaderName name, String value) {
    return Refusal.of(status, BodyHeads.jsonError(status.code()), name, value, ConnectError::error);
  }

  @Override
  public <Q, R> StreamListener open(HttpStream stream, RequestHead<Q, R> head, boolean end) {
    ConnectUnaryCall<Q, R> call = new ConnectUnaryCall<>(stream, head);
    call.beginBody(end);
    return call;
  }
}
