package dev.peregrine.wire.http2;

import dev.peregrine.wire.PeerLimit;

/**
 * All budgets of what a peer may cost without making calls. Loop-confined, one per connection.
 *
 * <p>The limits and the attacks behind them are in {@link FloodLimits}. What is bounded in size
 * rather than in rate (field blocks, unread output) is checked where it grows, with the same kind
 * of error.
 */
final class FloodGuard {

  /** What a frame that carries a call's content pays for: a ping, and two window updates. */
  static final int FRAME_WORK = 4;

  /**
   * Content in smaller frames pays for nothing, in bytes: a peer with a window of one byte buys a
   * frame with every update.
   */
  static final int MIN_WORK_BYTES = 256;

  /** Work is not hoarded beyond this many frames, so an attack after honest hours is still seen. */
  private static final int MAX_WORK = 4_000;

  private final TokenBucket resets;
  private final TokenBucket provokedResets;
  private final TokenBucket refusedStreams;
  private final TokenBucket pings;
  private final TokenBucket settings;
  private final TokenBucket emptyData;
  private final TokenBucket windowUpdates;
  private final TokenBucket ignoredFrames;
  private int work;

  FloodGuard(FloodLimits limits, long nowNanos) {
    resets = new TokenBucket(limits.resets(), nowNanos);
    provokedResets = new TokenBucket(limits.provokedResets(), nowNanos);
    refusedStreams = new TokenBucket(limits.refusedStreams(), nowNanos);
    pings = new TokenBucket(limits.pings(), nowNanos);
    settings = new TokenBucket(limits.settings(), nowNanos);
    emptyData = new TokenBucket(limits.emptyData(), nowNanos);
    windowUpdates = new TokenBucket(limits.windowUpdates(), nowNanos);
    ignoredFrames = new TokenBucket(limits.ignoredFrames(), nowNanos);
  }

  /** A frame of a call was sent or received. */
  void worked() {
    if (work < MAX_WORK) {
      work += FRAME_WORK;
    }
  }

  /** A call was answered to its end. */
  void completed(long nowNanos) {
    worked();
    resets.giveBack(nowNanos);
    provokedResets.giveBack(nowNanos);
  }

  /** The peer cancelled a call. */
  void reset(long nowNanos) throws ConnectionError {
    spend(PeerLimit.STREAM_RESETS, resets, "resets of streams", nowNanos);
  }

  /** The peer made us reset a stream. */
  void provokedReset(long nowNanos) throws ConnectionError {
    spend(PeerLimit.STREAM_ERRORS, provokedResets, "stream errors", nowNanos);
  }

  /** The peer opened a stream we refused. */
  void refusedStream(long nowNanos) throws ConnectionError {
    spend(PeerLimit.REFUSED_STREAMS, refusedStreams, "streams beyond the limit", nowNanos);
  }

  /** PING arrived. */
  void ping(long nowNanos) throws ConnectionError {
    if (!paid()) {
      spend(PeerLimit.PING_FRAMES, pings, "PING frames", nowNanos);
    }
  }

  /** SETTINGS arrived. */
  void settings(long nowNanos) throws ConnectionError {
    spend(PeerLimit.SETTINGS_FRAMES, settings, "SETTINGS frames", nowNanos);
  }

  /** DATA arrived without content and without END_STREAM. */
  void emptyData(long nowNanos) throws ConnectionError {
    spend(PeerLimit.EMPTY_DATA_FRAMES, emptyData, "empty DATA frames", nowNanos);
  }

  /** WINDOW_UPDATE arrived. */
  void windowUpdate(long nowNanos) throws ConnectionError {
    if (!paid()) {
      spend(PeerLimit.WINDOW_UPDATE_FRAMES, windowUpdates, "WINDOW_UPDATE frames", nowNanos);
    }
  }

  /**
   * A frame arrived that has no effect. Completed calls pay for some: a client may reset a stream
   * whose response is complete, and update the window of one that is over.
   */
  void ignoredFrame(long nowNanos) throws ConnectionError {
    if (!paid()) {
      spend(PeerLimit.IGNORED_FRAMES, ignoredFrames, "frames without effect", nowNanos);
    }
  }

  private boolean paid() {
    if (work == 0) {
      return false;
    }
    work--;
    return true;
  }

  private static void spend(PeerLimit limit, TokenBucket bucket, String what, long nowNanos)
      throws ConnectionError {
    if (!bucket.take(nowNanos)) {
      FloodLimits.Rate rate = bucket.rate();
      throw ConnectionError.limit(
          limit,
          "too many "
              + what
              + ": limit is "
              + rate.burst()
              + " at once, "
              + rate.perSecond()
              + " per second");
    }
  }
}
