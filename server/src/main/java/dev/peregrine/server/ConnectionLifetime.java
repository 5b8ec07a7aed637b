package dev.peregrine.server;

import dev.peregrine.wire.http1.Http1Limits;
import dev.peregrine.wire.http2.LifeLimits;
import java.time.Duration;

/**
 * How long connections live, and how often clients may ask whether the server does, as gRPC servers
 * have it (gRFC A8, A9). {@code null} is for ever. Immutable.
 *
 * @param maxIdle a connection without a call for so long is drained. None by default: clients open
 *     it again only when they need it
 * @param maxAge a connection this old is drained, ± 10 %, so that load spreads over new servers.
 *     None by default
 * @param ageGrace calls still open so long after that are cut. None by default
 * @param keepalive a connection without a byte from the client for so long is pinged: two hours
 * @param keepaliveTimeout without a byte for so long after that it is given up: 20 seconds
 * @param permitPing how often a client with calls may ping; more often than nine tenths of it,
 *     three times without a reply in between, is {@code too_many_pings}. Five minutes. {@link
 *     Duration#ZERO} permits any rate
 * @param permitPingWithoutCalls whether a client without calls may do the same, rather than once in
 *     two hours
 */
public record ConnectionLifetime(
    Duration maxIdle,
    Duration maxAge,
    Duration ageGrace,
    Duration keepalive,
    Duration keepaliveTimeout,
    Duration permitPing,
    boolean permitPingWithoutCalls) {

  /** The defaults. */
  public static final ConnectionLifetime DEFAULTS =
      new ConnectionLifetime(
          null,
          null,
          null,
          Duration.ofHours(2),
          Duration.ofSeconds(20),
          Duration.ofMinutes(5),
          false);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a duration is not positive
   */
  public ConnectionLifetime {
    nanos(maxIdle);
    nanos(maxAge);
    nanos(ageGrace);
    nanos(keepalive);
    nanos(keepaliveTimeout);
    if (permitPing == null || permitPing.isNegative()) {
      throw new IllegalArgumentException("permitPing must be zero or more");
    }
  }

  private static long nanos(Duration limit) {
    if (limit == null) {
      return LifeLimits.NONE_NANOS;
    }
    if (limit.isZero() || limit.isNegative()) {
      throw new IllegalArgumentException("a limit of time must be positive, not " + limit);
    }
    return saturated(limit);
  }

  private static long saturated(Duration limit) {
    try {
      return limit.toNanos();
    } catch (ArithmeticException e) {
      return LifeLimits.NONE_NANOS; // 292 years and more
    }
  }

  /** The same with other ends of idle and of old connections; {@code null} for none. */
  public ConnectionLifetime withAge(Duration idle, Duration age, Duration grace) {
    return new ConnectionLifetime(
        idle, age, grace, keepalive, keepaliveTimeout, permitPing, permitPingWithoutCalls);
  }

  /** The same with another keepalive; {@code null} for none. */
  public ConnectionLifetime withKeepalive(Duration time, Duration timeout) {
    return new ConnectionLifetime(
        maxIdle, maxAge, ageGrace, time, timeout, permitPing, permitPingWithoutCalls);
  }

  /** The same with another permission for pings. */
  public ConnectionLifetime withPermitPing(Duration interval, boolean withoutCalls) {
    return new ConnectionLifetime(
        maxIdle, maxAge, ageGrace, keepalive, keepaliveTimeout, interval, withoutCalls);
  }

  /** What the HTTP/2 engine is told. */
  LifeLimits toLife() {
    return new LifeLimits(
        nanos(maxIdle),
        nanos(maxAge),
        nanos(ageGrace),
        nanos(keepalive),
        nanos(keepaliveTimeout),
        saturated(permitPing),
        permitPingWithoutCalls);
  }

  /** What the HTTP/1.1 engine is told: without a limit of idleness it keeps its own. */
  Http1Limits applyTo(Http1Limits limits) {
    return limits.withLife(
        maxIdle == null ? limits.idleNanos() : nanos(maxIdle), nanos(maxAge), nanos(ageGrace));
  }
}
