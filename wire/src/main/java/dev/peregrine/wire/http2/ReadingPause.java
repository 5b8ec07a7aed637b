package dev.peregrine.wire.http2;

import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.PeerLimit;
import dev.peregrine.wire.Transport;

/**
 * Stops reading from a peer that makes us answer and does not read the answers (CVE-2019-9512 and
 * its kind). Loop-confined, one per connection.
 *
 * <p>Content waits in its streams when the socket is full, so what piles up here are control
 * frames, which the peer alone causes.
 */
final class ReadingPause {

  private final Transport transport;
  private final Http2Limits limits;
  private boolean paused;
  private long sinceNanos;

  ReadingPause(Transport transport, Http2Limits limits) {
    this.transport = transport;
    this.limits = limits;
  }

  /** Looks at what the socket has not taken, after a burst of input. */
  void check(long nowNanos) throws ConnectionError {
    if (transport.writable()) {
      return;
    }
    long unsent = transport.queuedBytes() + transport.output().totalBytes();
    if (unsent > limits.unsentMaxBytes()) {
      throw ConnectionError.limit(
          PeerLimit.UNREAD_BYTES,
          "more than " + limits.unsentMaxBytes() + " bytes of output are unread");
    }
    if (unsent > limits.unsentMarkBytes() && !paused) {
      paused = true;
      sinceNanos = nowNanos;
      transport.readable(false);
    }
  }

  /** Goes on reading when the socket has taken most of it. */
  void endIfSent() {
    if (paused && transport.queuedBytes() <= limits.unsentMarkBytes() / 2) {
      paused = false;
      transport.readable(true);
    }
  }

  /** How long to wait for the peer, in nanoseconds; {@link Long#MAX_VALUE} when it reads. */
  long leftNanos(long nowNanos) throws ConnectionError {
    if (!paused) {
      return Long.MAX_VALUE;
    }
    return ConnectionError.left(
        sinceNanos + limits.unreadNanos() - nowNanos,
        PeerLimit.UNREAD_TIME,
        ErrorCode.ENHANCE_YOUR_CALM,
        "peer does not read");
  }
}
