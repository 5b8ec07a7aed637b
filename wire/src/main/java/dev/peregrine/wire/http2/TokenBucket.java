package dev.peregrine.wire.http2;

/**
 * Holds a rate with a burst, in one {@code long}: the generic cell rate algorithm. Loop-confined.
 *
 * <p>Every token pushes the time at which the bucket would be full again by one interval; tokens
 * have run out when that time is more than a burst of intervals away.
 */
final class TokenBucket {

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final FloodLimits.Rate rate;
  private final long intervalNanos;
  private long fullAtNanos;

  TokenBucket(FloodLimits.Rate rate, long nowNanos) {
    this.rate = rate;
    this.intervalNanos = NANOS_PER_SECOND / rate.perSecond();
    this.fullAtNanos = nowNanos;
  }

  /** Takes a token; whether there was one. */
  boolean take(long nowNanos) {
    // Differences, since the clock may start anywhere and wrap around.
    if (fullAtNanos - nowNanos < 0) {
      fullAtNanos = nowNanos;
    }
    fullAtNanos += intervalNanos;
    return fullAtNanos - nowNanos <= rate.burst() * intervalNanos;
  }

  /** Gives a token back. A full bucket stays full, as {@link #take} sees to. */
  void giveBack(long nowNanos) {
    if (fullAtNanos - nowNanos > 0) {
      fullAtNanos -= intervalNanos;
    }
  }

  FloodLimits.Rate rate() {
    return rate;
  }
}
