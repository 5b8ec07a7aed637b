package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.HttpEnd;
import dev.peregrine.rpc.ServerObserver;
import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.StreamListener;
import java.util.List;

/**
 * A plain HTTP request that means no call, with both its halves counted: made only if anybody
 * observes. Loop-confined.
 */
final class ObservedStream extends ForwardedStream implements StreamListener {

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
    super(stream);
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
    Observers.tell(
        observers,
        ServerObserver::httpEnded,
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
    super.head(head, extra, end);
    if (end) {
      ended();
    }
  }

  @Override
  public int claim(int length) {
    int at = super.claim(length);
    responseBytes += at < 0 ? 0 : length;
    return at;
  }

  @Override
  public void data(byte[] bytes, int offset, int length, boolean end) {
    responseBytes += length;
    super.data(bytes, offset, length, end);
    if (end) {
      ended();
    }
  }

  @Override
  public void trailers(ResponseHead trailers, Headers extra) {
    super.trailers(trailers, extra);
    ended();
  }

  @Override
  public void reset(ErrorCode code) {
    super.reset(code);
    ended();
  }
}
