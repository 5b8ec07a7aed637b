package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.HttpEnd;
import dev.peregrine.rpc.ServerObserver;
import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.HttpVersion;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.StreamListener;
import dev.peregrine.wire.Transport;
import java.util.List;

/**
 * A plain HTTP request that means no call, with both its halves counted: made only if anybody
 * observes. Loop-confined.
 */
final class ObservedStream implements HttpStream, StreamListener {

  private final HttpStream stream;
  private final Headers headers;
  private final List<ServerObserver> observers;
  private final long startNanos;
  private StreamListener listener = Refusal.DEAF;
  private int httpStatus;
  private long requestBytes;
  private long responseBytes;
  private boolean ended;

  ObservedStream(
      HttpStream stream, Headers headers, List<ServerObserver> observers, long startNanos) {
    this.stream = stream;
    this.headers = headers;
    this.observers = observers;
    this.startNanos = startNanos;
  }

  /** Opens the request, of which this hears the rest. */
  StreamListener open(Opening opening, boolean end) {
    listener = opening.open(this, end);
    return this;
  }

  private void ended() {
    if (ended) {
      return;
    }
    ended = true;
    long durationNanos = System.nanoTime() - startNanos;
    CallTally.httpEnded(
        observers,
        new HttpEnd(
            new StreamRequest(stream, headers),
            httpStatus,
            durationNanos,
            requestBytes,
            responseBytes));
  }

  // ---- The request.

  @Override
  public void onData(byte[] bytes, int offset, int length, boolean end) {
    requestBytes += length;
    listener.onData(bytes, offset, length, end);
  }

  @Override
  public void onTrailers(Headers trailers) {
    listener.onTrailers(trailers);
  }

  @Override
  public void onReset(ErrorCode code) {
    listener.onReset(code);
    ended();
  }

  @Override
  public void onWritable() {
    listener.onWritable();
  }

  // ---- The response.

  @Override
  public void head(ResponseHead head, Headers extra, boolean end) {
    httpStatus = head.status();
    stream.head(head, extra, end);
    if (end) {
      ended();
    }
  }

  @Override
  public int claim(int length) {
    int at = stream.claim(length);
    responseBytes += at < 0 ? 0 : length;
    return at;
  }

  @Override
  public void data(byte[] bytes, int offset, int length, boolean end) {
    responseBytes += length;
    stream.data(bytes, offset, length, end);
    if (end) {
      ended();
    }
  }

  @Override
  public void trailers(ResponseHead trailers, Headers extra) {
    stream.trailers(trailers, extra);
    ended();
  }

  @Override
  public void reset(ErrorCode code) {
    stream.reset(code);
    ended();
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
