package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.HttpVersion;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.Transport;

/** A stream that stands before another one, and changes or hears some of it. Loop-confined. */
abstract class ForwardedStream implements HttpStream {

  final HttpStream stream;

  ForwardedStream(HttpStream stream) {
    this.stream = stream;
  }

  @Override
  public void head(ResponseHead head, Headers extra, boolean end) {
    stream.head(head, extra, end);
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
