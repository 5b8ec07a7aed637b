package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.HttpVersion;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.Transport;

/**
 * A stream whose response has some more header fields, whoever answers. Only requests from pages of
 * other origins pay for it. Loop-confined.
 */
final class CorsStream implements HttpStream {

  private final HttpStream stream;
  private final Headers fields;

  CorsStream(HttpStream stream, Headers fields) {
    this.stream = stream;
    this.fields = fields;
  }

  @Override
  public void head(ResponseHead head, Headers extra, boolean end) {
    Headers all = new Headers();
    addAll(all, extra);
    addAll(all, fields);
    stream.head(head, all, end);
  }

  private static void addAll(Headers target, Headers source) {
    for (int i = 0; source != null && i < source.size(); i++) {
      target.add(source.name(i), source.value(i));
    }
  }

  @Override
  public int claim(int length) {
    return stream.claim(length);
  }

  @Override
  public void data(byte[] bytes, int offset, int length, boolean end) {
    stream.data(bytes, offset, length, end);
  }

  @Override
  public void trailers(ResponseHead trailers, Headers extra) {
    stream.trailers(trailers, extra);
  }

  @Override
  public void reset(ErrorCode code) {
    stream.reset(code);
  }

  @Override
  public void credit(int bytes) {
    stream.credit(bytes);
  }

  @Override
  public int queuedBytes() {
    return stream.queuedBytes();
  }

  @Override
  public int peerMaxHeaderListBytes() {
    return stream.peerMaxHeaderListBytes();
  }

  @Override
  public HttpVersion version() {
    return stream.version();
  }

  @Override
  public Transport transport() {
    return stream.transport();
  }
}
