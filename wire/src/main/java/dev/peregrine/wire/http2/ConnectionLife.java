package dev.peregrine.wire.http2;

import dev.peregrine.wire.Age;
import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.PeerLimit;

/**
 * Age, idleness and keepalive of one connection, and the strikes of a peer that pings too often
 * (gRFC A8, A9). Loop-confined; time is passed in.
 */
final class ConnectionLife {

  /** Tells our PING from that of a drain. */
  static final long PING = 0x70657265_6b656570L;

  /** Exactly this text makes gRPC clients double their keepalive time (gRFC A8). */
  private static final String TOO_MANY_PINGS = "too_many_pings";

  /** gRFC A8: the third strike ends the connection. */
  private static final int MAX_STRIKES = 2;

  /** gRFC A8: what a peer without calls is held to, in nanoseconds: two hours. */
  private static final long IDLE_PING_NANOS = 7_200_000_000_000L;

  /** A client's timer and the network are not exact: 90 % of the interval is good enough. */
  private static final int TOLERANCE_PERCENT = 90;

  private final LifeLimits limits;
  private final long startNanos;
  private final long ageNanos;
  private long receivedNanos;
  private long idleSinceNanos;
  private long probedNanos;
  private boolean probing;
  private long pingedNanos;
  private boolean pinged;
  private int strikes;

  ConnectionLife(LifeLimits limits, long nowNanos) {
    this.limits = limits;
    this.startNanos = nowNanos;
    this.receivedNanos = nowNanos;
    this.idleSinceNanos = nowNanos;
    this.ageNanos = Age.jitteredNanos(limits.maxAgeNanos(), nowNanos);
  }

  /** Bytes arrived. */
  void received(long nowNanos) {
    receivedNanos = nowNanos;
    probing = false;
  }

  /** HEADERS or DATA were sent: pings up to here were fine. */
  void sent() {
    strikes = 0;
    pinged = false;
  }

  /** The last open call has ended. */
  void idle(long nowNanos) {
    idleSinceNanos = nowNanos;
  }

  /** The peer pinged. */
  void ping(int openStreams, long nowNanos) throws ConnectionError {
    if (limits.permitPingNanos() == 0) {
      return;
    }
    long gapNanos =
        openStreams == 0 && !limits.permitPingWithoutCalls()
            ? IDLE_PING_NANOS
            : limits.permitPingNanos();
    if (pinged && nowNanos - pingedNanos < gapNanos / 100 * TOLERANCE_PERCENT) {
      if (++strikes > MAX_STRIKES) {
        throw ConnectionError.limit(PeerLimit.PING_STRIKES, TOO_MANY_PINGS);
      }
    } else {
      pinged = true;
      pingedNanos = nowNanos;
    }
  }

  /** Why the connection should be drained now, as debug data for the peer; or {@code null}. */
  String drainReason(int openStreams, long nowNanos) {
    if (leftNanos(startNanos, ageNanos, nowNanos) <= 0) {
      return "max_age";
    }
    if (openStreams == 0 && leftNanos(idleSinceNanos, limits.maxIdleNanos(), nowNanos) <= 0) {
      return "max_idle";
    }
    return null;
  }

  /** How long until {@link #drainReason} may have one. */
  long drainLeftNanos(int openStreams, long nowNanos) {
    long leftNanos = leftNanos(startNanos, ageNanos, nowNanos);
    return openStreams > 0
        ? leftNanos
        : Math.min(leftNanos, leftNanos(idleSinceNanos, limits.maxIdleNanos(), nowNanos));
  }

  /**
   * Pings a silent peer.
   *
   * @return how long until this has something to do again
   */
  long keepalive(FrameWriter writer, long nowNanos) throws ConnectionError {
    long leftNanos = leftNanos(receivedNanos, limits.keepaliveNanos(), nowNanos);
    if (leftNanos > 0) {
      return leftNanos;
    }
    if (!probing) {
      probing = true;
      probedNanos = nowNanos;
      writer.ping(PING, false);
    }
    return ConnectionError.left(
        leftNanos(probedNanos, limits.keepaliveTimeoutNanos(), nowNanos),
        PeerLimit.KEEPALIVE_TIME,
        ErrorCode.NO_ERROR,
        "keepalive_timeout");
  }

  private static long leftNanos(long sinceNanos, long limitNanos, long nowNanos) {
    return limitNanos == LifeLimits.NONE_NANOS
        ? LifeLimits.NONE_NANOS
        : sinceNanos + limitNanos - nowNanos;
  }
}
