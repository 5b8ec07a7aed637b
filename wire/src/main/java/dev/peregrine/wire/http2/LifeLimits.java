package dev.peregrine.wire.http2;

/**
 * How long a connection may live, idle or silent, and how often its peer may ask whether we live
 * (gRFC A8 and A9). Nanoseconds. Immutable, any thread.
 *
 * @param maxIdleNanos without a call for so long, the connection is drained
 * @param maxAgeNanos after so long it is drained, ± 10 % so that connections made together do not
 *     end together
 * @param ageGraceNanos what is still open so long after that is cut
 * @param keepaliveNanos after so long without a byte from the peer it is pinged
 * @param keepaliveTimeoutNanos without a byte for so long after that, the connection is lost
 * @param permitPingNanos how often a peer may ping while calls are open; 0 permits any rate
 * @param permitPingWithoutCalls whether it may do so while none is
 */
public record LifeLimits(
    long maxIdleNanos,
    long maxAgeNanos,
    long ageGraceNanos,
    long keepaliveNanos,
    long keepaliveTimeoutNanos,
    long permitPingNanos,
    boolean permitPingWithoutCalls) {

  /** Says that there is no limit. */
  public static final long NONE_NANOS = Long.MAX_VALUE;

  /** No limits at all. */
  public static final LifeLimits NONE =
      new LifeLimits(NONE_NANOS, NONE_NANOS, NONE_NANOS, NONE_NANOS, NONE_NANOS, 0, true);

  private static final long SECOND = 1_000_000_000;

  /** The defaults of gRFC A8 and A9. */
  public static final LifeLimits GRPC =
      new LifeLimits(
          NONE_NANOS, NONE_NANOS, NONE_NANOS, 7200 * SECOND, 20 * SECOND, 300 * SECOND, false);

  /** Checks the ranges. */
  public LifeLimits {
    if (maxIdleNanos <= 0
        || maxAgeNanos <= 0
        || ageGraceNanos <= 0
        || keepaliveNanos <= 0
        || keepaliveTimeoutNanos <= 0
        || permitPingNanos < 0) {
      throw new IllegalArgumentException("a limit of a connection's life must be positive");
    }
  }
}
