package dev.peregrine.wire.http2;

import dev.peregrine.wire.ErrorCode;

/**
 * The orderly end of a connection in two steps (RFC 9113, 6.8). Loop-confined; made when a drain
 * begins.
 *
 * <p>First GOAWAY(2^31 − 1) and a PING: the peer should stop, but what it sent meanwhile is served.
 * With the acknowledgement every such call is here, and GOAWAY names the last one. One step alone
 * would lose calls that were under way.
 */
final class Drain {

  /** Tells our PING from a keepalive; any eight bytes would do. */
  static final long PING = 0x70657265_64726e01L;

  /** What grpc-java says, so that people find it. */
  static final String REQUESTED = "app_requested";

  private final FrameWriter writer;
  private final Http2Limits limits;
  private final long startNanos;
  private final long graceNanos;
  private final String reason;
  private int lastStreamId = Integer.MAX_VALUE;
  private boolean last;

  /**
   * Begins.
   *
   * @param reason debug data for the peer
   * @param graceNanos how long to wait for open streams
   */
  Drain(FrameWriter writer, Http2Limits limits, String reason, long graceNanos, long nowNanos) {
    this.writer = writer;
    this.limits = limits;
    this.startNanos = nowNanos;
    this.graceNanos = graceNanos;
    this.reason = reason;
    writer.goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR, reason);
    writer.ping(PING, false);
  }

  /** The second step. */
  void announceLast(int streamId) {
    last = true;
    lastStreamId = streamId;
    writer.goAway(lastStreamId, ErrorCode.NO_ERROR, reason);
  }

  /** Whether somebody asked for it, rather than age or idleness. */
  boolean requested() {
    return reason.equals(REQUESTED);
  }

  /** Whether the last stream is announced, so that later ones are refused. */
  boolean isLast() {
    return last;
  }

  /** The highest stream that is served. */
  int lastStreamId() {
    return lastStreamId;
  }

  /** How long to wait for the acknowledgement, in nanoseconds; ≤ 0 when it is over. */
  long pingLeftNanos(int openStreams, long nowNanos) {
    // An idle peer has at most a request on its way; a loop that shuts down should not wait long.
    long bound = openStreams == 0 ? limits.drainIdlePingNanos() : limits.drainPingNanos();
    return startNanos + bound - nowNanos;
  }

  /** How long to wait for open streams, in nanoseconds; ≤ 0 when it is over. */
  long graceLeftNanos(long nowNanos) {
    return graceNanos == LifeLimits.NONE_NANOS
        ? LifeLimits.NONE_NANOS
        : startNanos + graceNanos - nowNanos;
  }
}
