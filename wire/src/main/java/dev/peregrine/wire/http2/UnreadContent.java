package dev.peregrine.wire.http2;

import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.PeerLimit;
import dev.peregrine.wire.Transport;

/**
 * How long content has waited for a peer that takes none of it, on whatever stream. Loop-confined,
 * one per connection.
 *
 * <p>The peer moves on when it lets a frame leave, by its windows, or when its socket takes some of
 * what has left already, which may be a quarter of a megabyte.
 */
final class UnreadContent {

  private final SendQueue queue;
  private final Transport transport;
  private final long limitNanos;

  private boolean waits;
  private long sinceNanos;
  private long framesSentMark;
  private long unsentBytesMark;

  /**
   * Nothing waits yet.
   *
   * @param limitNanos how long we wait
   */
  UnreadContent(SendQueue queue, Transport transport, long limitNanos) {
    this.queue = queue;
    this.transport = transport;
    this.limitNanos = limitNanos;
  }

  /** How long to wait for the peer, in nanoseconds; {@link Long#MAX_VALUE} if nothing waits. */
  long leftNanos(long nowNanos) throws ConnectionError {
    if (queue.queuedBytes() == 0) {
      waits = false;
      return Long.MAX_VALUE;
    }
    long framesSent = queue.framesSent();
    long unsentBytes = transport.queuedBytes();
    // The wait begins with the first look that finds content: this is called after each burst, but
    // may not have been for hours before it.
    if (!waits || framesSent != framesSentMark || unsentBytes < unsentBytesMark) {
      waits = true;
      sinceNanos = nowNanos;
    }
    framesSentMark = framesSent;
    unsentBytesMark = unsentBytes;
    return ConnectionError.left(
        sinceNanos + limitNanos - nowNanos,
        PeerLimit.UNREAD_TIME,
        ErrorCode.ENHANCE_YOUR_CALM,
        "peer does not read");
  }
}
