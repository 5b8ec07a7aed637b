package dev.peregrine.wire.http2;

/**
 * The rates at which one peer may cause work that serves no call. Immutable, any thread.
 *
 * <p>A peer that goes past one is sent GOAWAY(ENHANCE_YOUR_CALM) whose debug data names the limit.
 * Useful work gives tokens back where noted, so that a busy honest peer never comes near.
 *
 * @param resets calls the peer cancels: "rapid reset" (CVE-2023-44487) starts work and throws it
 *     away, faster than MAX_CONCURRENT_STREAMS can hold back. Each completed call gives one back
 * @param provokedResets streams the peer makes us reset by breaking a rule on them: "made you
 *     reset" (CVE-2025-8671), the same by another door. Each completed call gives one back
 * @param refusedStreams streams opened beyond MAX_CONCURRENT_STREAMS; cheap, and a client that has
 *     not seen our SETTINGS yet may do it in good faith
 * @param pings PING floods (CVE-2019-9512) make us answer. Clients that estimate bandwidth send one
 *     for each round trip with data, so frames of calls pay for pings
 * @param settings SETTINGS floods (CVE-2019-9515) make us answer and adjust every stream
 * @param emptyData DATA frames without content or END_STREAM (CVE-2019-9518): cost without credit
 * @param windowUpdates WINDOW_UPDATE floods, each of which may wake a stream to send one byte
 *     (CVE-2019-9511). DATA we send pays for them
 * @param ignoredFrames frames that ask for nothing: PRIORITY (CVE-2019-9513), unknown types,
 *     GOAWAY, frames of streams that are over
 */
public record FloodLimits(
    Rate resets,
    Rate provokedResets,
    Rate refusedStreams,
    Rate pings,
    Rate settings,
    Rate emptyData,
    Rate windowUpdates,
    Rate ignoredFrames) {

  /**
   * How often something may happen.
   *
   * @param burst how often at once, &gt; 0
   * @param perSecond how often in the long run, &gt; 0 and ≤ 10^9
   */
  public record Rate(int burst, int perSecond) {
    /** Checks the ranges. */
    public Rate {
      if (burst <= 0 || perSecond <= 0 || perSecond > 1_000_000_000) {
        throw new IllegalArgumentException(
            "rate of " + burst + " at once and " + perSecond + "/s is out of range");
      }
    }
  }

  /** What serves a busy proxy as well as a phone, and stops every attack above within a second. */
  public static final FloodLimits STANDARD =
      new FloodLimits(
          new Rate(400, 200), // a page of cancelled calls at once; 200/s is no load
          new Rate(200, 100), // honest peers break no rules
          new Rate(10_000, 1_000), // ten times the default stream limit before SETTINGS arrive
          new Rate(200, 7), // 200 in 30 s; keepalive is one in 10 s at the most
          new Rate(200, 7), // 200 in 30 s; real clients send one or two in all
          new Rate(1_000, 100), // some clients flush with them
          new Rate(10_000, 1_000), // two for each frame we send is usual, and is paid for
          new Rate(2_000, 200)); // browsers send a handful of PRIORITY frames

  /** These limits with another one for cancelled calls. */
  public FloodLimits withResets(int burst, int perSecond) {
    return new FloodLimits(
        new Rate(burst, perSecond),
        provokedResets,
        refusedStreams,
        pings,
        settings,
        emptyData,
        windowUpdates,
        ignoredFrames);
  }

  /** These limits with another one for pings. */
  public FloodLimits withPings(int burst, int perSecond) {
    return new FloodLimits(
        resets,
        provokedResets,
        refusedStreams,
        new Rate(burst, perSecond),
        settings,
        emptyData,
        windowUpdates,
        ignoredFrames);
  }
}
