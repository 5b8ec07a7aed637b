package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.StreamListener;
import java.util.Arrays;
import java.util.List;

/**
 * One request and what is answered: plays the engine. Every event is a burst of its own, after
 * which the router hands over what is ready. Test thread.
 */
final class Exchange {

  /** What stands before and behind a slice in the loop's read buffer. */
  private static final int MARGIN_BYTES = 7;

  private final FakeLoop loop;
  private final Router router;
  private final FakeHttpStream stream;
  private StreamListener listener;

  /** Begins a request. */
  Exchange(FakeLoop loop, Router router, FakeHttpStream stream, Headers headers, boolean end) {
    this.loop = loop;
    this.router = router;
    this.stream = stream;
    loop.add(stream.transport());
    burst(() -> listener = router.onRequest(stream, headers, end));
  }

  private void burst(Runnable event) {
    stream.transport().burst(event);
    router.burstEnded();
    loop.checkNothingStuck();
  }

  /** Request content arrives. The slice lies inside a larger array, which is spoilt afterwards. */
  Exchange data(byte[] content, boolean end) {
    return data(content, 0, content.length, end);
  }

  /** A slice of request content arrives. */
  Exchange data(byte[] content, int offset, int length, boolean end) {
    byte[] lent = new byte[length + 2 * MARGIN_BYTES];
    System.arraycopy(content, offset, lent, MARGIN_BYTES, length);
    burst(
        () -> {
          listener.onData(lent, MARGIN_BYTES, length, end);
          Arrays.fill(lent, (byte) 0x5a);
        });
    return this;
  }

  /** The request ends with a trailer section. */
  Exchange trailers() {
    burst(() -> listener.onTrailers(new Headers().add("x-checksum", "1")));
    return this;
  }

  /** The peer resets the stream, or the connection is lost. */
  Exchange reset() {
    burst(
        () -> {
          stream.resetByPeer();
          listener.onReset(ErrorCode.CANCEL);
        });
    return this;
  }

  /** The last content and a reset arrive in one burst. */
  Exchange dataThenReset(byte[] content) {
    burst(
        () -> {
          listener.onData(content, 0, content.length, true);
          stream.resetByPeer();
          listener.onReset(ErrorCode.CANCEL);
        });
    return this;
  }

  /** The stream takes more. */
  Exchange writable() {
    burst(listener::onWritable);
    return this;
  }

  /** The response side. */
  FakeHttpStream stream() {
    return stream;
  }

  /** The call, if the request became one. */
  ServerCall<?, ?> call() {
    return (ServerCall<?, ?>) listener;
  }

  /** What was answered so far. */
  List<String> lines() {
    return stream.lines();
  }
}
