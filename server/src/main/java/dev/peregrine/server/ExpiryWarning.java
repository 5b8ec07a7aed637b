package dev.peregrine.server;

import java.time.Duration;
import java.time.Instant;

/**
 * Decides when to warn that a certificate expires: two weeks ahead, then once a day, and at once of
 * another certificate. One thread at a time.
 */
final class ExpiryWarning {

  /** A renewal that failed can still be repaired, over a holiday too. */
  static final Duration AHEAD = Duration.ofDays(14);

  /** Often enough to be seen by whoever looks at a day's log. */
  static final Duration INTERVAL = Duration.ofDays(1);

  private Instant warnedOf = Instant.MAX;
  private Instant warnedAt = Instant.MIN;

  /**
   * What to say now, or {@code null}.
   *
   * @param end when the first certificate in use expires
   */
  String due(Instant end, Instant now) {
    if (end.isAfter(now.plus(AHEAD))) {
      return null;
    }
    if (end.equals(warnedOf) && now.isBefore(warnedAt.plus(INTERVAL))) {
      return null;
    }
    warnedOf = end;
    warnedAt = now;
    return end.isAfter(now)
        ? "a certificate expires at " + end
        : "a certificate has expired at " + end + ": clients refuse it";
  }
}
