package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.HttpMapping;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.HttpVersion;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.StreamListener;
import java.util.List;

/**
 * Calls that come as plain HTTP requests, by what a mapping has found for one header section. Any
 * thread.
 */
final class MappedProtocol<Q, R> extends CallProtocol {

  private final HttpMapping.Found<Q, R> found;
  private final MappedRequests requests;

  MappedProtocol(HttpMapping.Found<Q, R> found, MappedRequests requests) {
    super("json", false, requests.codings());
    this.found = found;
    this.requests = requests;
  }

  @Override
  public String name() {
    return "http";
  }

  @Override
  public List<String> contentTypes() {
    return List.of();
  }

  @Override
  public boolean serves(BoundMethod<?, ?> method) {
    return !method.streamsRequests();
  }

  @Override
  public CallRefusals refusals() {
    return requests.refusals();
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
    String timeout = headers.get(HeaderName.GRPC_TIMEOUT);
    return timeout == null ? Timeout.NONE : Timeout.parse(timeout);
  }

  @Override
  Opening fault(Headers headers, BoundMethod<?, ?> method, HttpVersion version) {
    return null;
  }

  @Override
  Refusal refuse(Status status, HeaderName name, String value) {
    return requests.refuse(status, name, value);
  }

  @Override
  Refusal malformedField(String text) {
    return refuse(malformed(text), null, null);
  }

  @Override
  @SuppressWarnings("unchecked") // the method of the mapping is the method that was bound
  <T> Codec<T> requestCodec(Codec<T> own) {
    return (Codec<T>) found.requestCodec();
  }

  @Override
  @SuppressWarnings("unchecked") // the method of the mapping is the method that was bound
  <T> Codec<T> responseCodec(Headers headers, Codec<T> own) {
    return (Codec<T>) found.responseCodec();
  }

  @Override
  ResponseHead responseHead(Compressor compressor, boolean advertise) {
    return found.framing() == null ? requests.head(null) : requests.streamHead(found.contentType());
  }

  @Override
  public <T, S> StreamListener open(HttpStream stream, RequestHead<T, S> head, boolean end) {
    WholeRequestCall<T, S> call =
        found.framing() == null
            ? new MappedUnaryCall<>(stream, head, requests)
            : new MappedStreamCall<>(stream, head, requests, found.framing());
    call.beginBody(end);
    return call;
  }
}
