package dev.peregrine.wire;

/** The greatest age of connections (gRFC A9). Any thread: no state. */
public final class Age {

  /** Says that there is no greatest age. */
  private static final long NONE_NANOS = Long.MAX_VALUE;

  /** gRFC A9: ± 10 %, so that connections which came together do not go together. */
  private static final int JITTER_PERCENT = 10;

  private Age() {}

  /**
   * The age that one connection may reach.
   *
   * @param maxAgeNanos without jitter; {@link Long#MAX_VALUE} for none
   * @param nowNanos when the connection came: the clock's low bits are as good as random here, as
   *     that is the peer's doing
   */
  public static long jitteredNanos(long maxAgeNanos, long nowNanos) {
    if (maxAgeNanos == NONE_NANOS) {
      return maxAgeNanos;
    }
    long mixed = nowNanos * 0x9E37_79B9_7F4A_7C15L;
    long percentMille = Math.floorMod(mixed >>> 32, 2 * JITTER_PERCENT * 1000 + 1);
    return maxAgeNanos / 100_000 * (100_000 - JITTER_PERCENT * 1000 + percentMille);
  }
}
