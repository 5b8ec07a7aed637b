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
  private static final String DEBUG = "app_requested";

  private final FrameWriter writer;
  private final Http2Limits limits;
  private final long startNanos;
  private int lastStreamId = Integer.MAX_VALUE;
  private boolean last;

  Drain(FrameWriter writer, Http2Limits limits, long nowNanos) {
    this.writer = writer;
    this.limits = limits;
    this.startNanos = nowNanos;
    writer.goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR, DEBUG);
    writer.ping(PING, false);
  }

  /** The second step. */
  void announceLast(int streamId) {
    last = true;
    lastStreamId = streamId;
    writer.goAway(lastStreamId, ErrorCode.NO_ERROR, DEBUG);
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
    return startNanos + limits.drainGraceNanos() - nowNanos;
  }
}
