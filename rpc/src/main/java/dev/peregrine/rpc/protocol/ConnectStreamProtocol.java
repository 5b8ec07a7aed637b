package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.StreamListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Connect's streams with one codec. Any thread. */
final class ConnectStreamProtocol extends ConnectProtocol {

  private final String contentType;
  private final ResponseHead plain;
  private final ResponseHead advertising;
  private final Map<Compressor, ResponseHead> compressed = new HashMap<>();
  private final CallRefusals refusals;

  ConnectStreamProtocol(String subtype, boolean isDefault, Codings codings) {
    super(subtype, isDefault, codings);
    this.contentType = "application/connect+" + subtype;
    this.plain = ResponseHead.of(200, typed());
    this.advertising =
        ResponseHead.of(200, typed().add(HeaderName.CONNECT_ACCEPT_ENCODING, codings.acceptList()));
    for (Compressor compressor : codings.compressors()) {
      compressed.put(
          compressor,
          ResponseHead.of(
              200,
              typed()
                  .add(HeaderName.CONNECT_CONTENT_ENCODING, compressor.wireName())
                  .add(HeaderName.CONNECT_ACCEPT_ENCODING, codings.acceptList())));
    }
    this.refusals = CallRefusals.of(status -> refuse(status, null, null));
  }

  private Headers typed() {
    return new Headers().add(HeaderName.CONTENT_TYPE, contentType);
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
    if (compressor != null) {
      return compressed.get(compressor);
    }
    return advertise ? advertising : plain;
  }

  /** The status of a stream is 200, whatever the end of the stream says. */
  @Override
  Refusal refuse(Status status, HeaderName name, String value) {
    Headers extra = name == null ? null : new Headers().add(name, value);
    return Refusal.of(status, plain, extra, told -> ConnectStreamCall.lastEnvelope(told, null));
  }

  @Override
  public <Q, R> StreamListener open(HttpStream stream, RequestHead<Q, R> head, boolean end) {
    ConnectStreamCall<Q, R> call = new ConnectStreamCall<>(stream, head);
    call.begin(end);
    return call;
  }
}
