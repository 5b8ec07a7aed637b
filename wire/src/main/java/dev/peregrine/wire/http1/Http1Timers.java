package dev.peregrine.wire.http1;

import dev.peregrine.wire.Age;
import dev.peregrine.wire.PeerLimit;

/**
 * Every limit of time of one connection, and its drain. Loop-confined; time is passed in.
 *
 * <p>Only what is running is measured: a head that has begun, content that has begun, output that
 * the socket does not take, a connection without a request. A handler may take as long as it likes.
 */
final class Http1Timers {

  /**
   * How long a drain waits for one more request of a peer that has sent one lately: it may be on
   * its way. An answer that says so ends the connection better than a reset.
   */
  private static final long DRAIN_WAIT_NANOS = 200_000_000;

  /** What is lately: a peer that was silent for longer is idle, and gone at once. */
  private static final long LATELY_NANOS = 1_000_000_000;

  private final Http1Limits limits;
  private final long startNanos;
  private final long ageNanos;
  private long nowNanos;
  private long idleSinceNanos;
  private long headSinceNanos;
  private boolean inHead;

  private long contentSinceNanos;
  private long contentMark;
  private boolean inContent;

  private long unreadSinceNanos;
  private long unreadMark;
  private boolean unread;

  private long drainSinceNanos;
  private long drainGraceNanos;
  private boolean draining;
  private boolean drainRequested;

  private long discardSinceNanos;

  Http1Timers(Http1Limits limits, long nowNanos) {
    this.limits = limits;
    this.startNanos = nowNanos;
    this.nowNanos = nowNanos;
    this.idleSinceNanos = nowNanos;
    this.ageNanos = Age.jitteredNanos(limits.maxAgeNanos(), nowNanos);
  }

  /** Tells the time. */
  void now(long value) {
    nowNanos = value;
  }

  /** Part of a head is here. */
  void headBegun() {
    if (!inHead) {
      inHead = true;
      headSinceNanos = nowNanos;
    }
  }

  /** A head is complete. */
  void requestBegun() {
    inHead = false;
    inContent = false;
  }

  /** A request is answered and read to its end. */
  void idle() {
    idleSinceNanos = nowNanos;
    inContent = false;
  }

  /** A request was answered before all of its content is here; the rest is dropped. */
  void discarding() {
    discardSinceNanos = nowNanos;
  }

  boolean isDraining() {
    return draining;
  }

  /** Begins a drain; false if one was asked for before. */
  boolean drain(long graceNanos) {
    if (drainRequested) {
      return false;
    }
    drainRequested = true;
    begin(graceNanos);
    return true;
  }

  private void begin(long graceNanos) {
    if (!draining) {
      draining = true;
      drainSinceNanos = nowNanos;
      drainGraceNanos = graceNanos;
    }
  }

  /** Whether the connection has nothing left to live for. */
  boolean isOver(Http1Connection connection) {
    if (draining && left(drainSinceNanos, drainGraceNanos) <= 0) {
      return true;
    }
    Http1Exchange exchange = connection.exchange();
    if (exchange != null) {
      return draining && exchange.isOver(); // the rest of its content is of no use
    }
    return connection.isIdle() && idleLeftNanos() <= 0;
  }

  /**
   * Looks at every limit of time.
   *
   * @return how long until this has something to do again
   */
  long check(Http1Connection connection) throws RequestError {
    long leftNanos = unreadLeftNanos(connection);
    if (!draining && left(startNanos, ageNanos) <= 0) {
      begin(limits.ageGraceNanos());
    }
    if (connection.exchange() != null) {
      leftNanos = Math.min(leftNanos, contentLeftNanos(connection));
    } else if (connection.isInHead()) {
      long headNanos = left(headSinceNanos, limits.headNanos());
      if (headNanos <= 0) {
        throw RequestError.limit(
            PeerLimit.HEADER_TIME, 408, "the request's head did not arrive in time");
      }
      leftNanos = Math.min(leftNanos, headNanos);
    } else if (connection.isIdle()) {
      leftNanos = Math.min(leftNanos, idleLeftNanos());
    }
    return Math.min(
        leftNanos, draining ? left(drainSinceNanos, drainGraceNanos) : left(startNanos, ageNanos));
  }

  private long idleLeftNanos() {
    long leftNanos = left(idleSinceNanos, limits.idleNanos());
    if (draining) {
      boolean lately = nowNanos - idleSinceNanos < LATELY_NANOS;
      long waitNanos =
          lately ? left(Math.max(drainSinceNanos, idleSinceNanos), DRAIN_WAIT_NANOS) : 0;
      leftNanos = Math.min(leftNanos, waitNanos);
    }
    return leftNanos;
  }

  /** Content that has begun must move on, unless it is we who do not read. */
  private long contentLeftNanos(Http1Connection connection) throws RequestError {
    ContentReader content = connection.content();
    if (connection.exchange().isOver()) {
      return discardLeftNanos();
    }
    boolean waits = connection.exchange().windowBytes() == 0;
    if (!content.isUnderWay() || waits) {
      inContent = false;
      return Long.MAX_VALUE;
    }
    long bytes = content.receivedBytes();
    if (!inContent || bytes - contentMark >= limits.contentMinBytes()) {
      inContent = true;
      contentSinceNanos = nowNanos;
      contentMark = bytes;
    }
    long leftNanos = left(contentSinceNanos, limits.contentNanos());
    if (leftNanos <= 0) {
      throw RequestError.limit(
          PeerLimit.CONTENT_TIME, 408, "the request's content did not arrive in time");
    }
    return leftNanos;
  }

  /** Content that nobody wants is not waited for between chunks either. */
  private long discardLeftNanos() throws RequestError {
    long leftNanos = left(discardSinceNanos, limits.contentNanos());
    if (leftNanos <= 0) {
      throw RequestError.silentLimit(
          PeerLimit.CONTENT_TIME, "content that is not wanted did not end in time");
    }
    return leftNanos;
  }

  /** Output must move on. */
  private long unreadLeftNanos(Http1Connection connection) throws RequestError {
    if (connection.transport().writable()) {
      unread = false;
      return Long.MAX_VALUE;
    }
    long bytes = connection.transport().queuedBytes();
    if (!unread || bytes < unreadMark) {
      unread = true;
      unreadSinceNanos = nowNanos;
    }
    unreadMark = bytes;
    long leftNanos = left(unreadSinceNanos, limits.unreadNanos());
    if (leftNanos <= 0) {
      throw RequestError.silentLimit(PeerLimit.UNREAD_TIME, "the peer does not read");
    }
    return leftNanos;
  }

  private long left(long sinceNanos, long limitNanos) {
    return limitNanos == Http1Limits.NONE_NANOS
        ? Http1Limits.NONE_NANOS
        : sinceNanos + limitNanos - nowNanos;
  }
}
