package dev.peregrine.server;

/**
 * One loop's part of {@link QueuedBytes}: counts for its connections, and closes those that the
 * server cannot afford any more. Loop-confined.
 *
 * <p>The whole is told in steps, so that calls cost no atomic operation: what it knows may be wrong
 * by one step for each loop.
 */
final class LoopBytes {

  private static final long STEP_BYTES = 64 * 1024;

  /** A connection that holds no more than this is not to blame for anything. */
  static final long SMALL_BYTES = 64 * 1024;

  /** How often connections are looked at while memory is scarce and nothing else happens. */
  private static final long LOOK_NANOS = 100_000_000L;

  /** The same after a look that found nobody to close, while memory is full. */
  private static final long FRUITLESS_LOOK_NANOS = 10_000_000L;

  private final QueuedBytes all;
  private long untold;
  private long nextLookNanos;
  private long fruitlessTotal;

  LoopBytes(QueuedBytes all) {
    this.all = all;
    all.addLoop();
  }

  /** Counts more bytes, or fewer. */
  void add(long bytes) {
    untold += bytes;
    if (untold >= STEP_BYTES || untold <= -STEP_BYTES) {
      all.add(untold);
      untold = 0;
    }
  }

  /** Whether a connection that holds so many bytes may begin one more call. */
  boolean admits(long heldBytes) {
    long total = all.total();
    if (total <= all.scarceBytes()) {
      return true;
    }
    return heldBytes <= SMALL_BYTES && total <= all.refuseAllBytes();
  }

  /**
   * Whether a whole request may wait for its handler.
   *
   * @param heldBytes what its connection holds
   * @param connections of this loop
   */
  boolean admitsRequest(long heldBytes, int bytes, int connections) {
    long total = all.total() + untold;
    // What is left is for what has begun: requests whose rest is on its way, and responses.
    if (total + bytes > all.tightBytes()) {
      return false;
    }
    // While memory is scarce, nobody gets more of it than its share.
    return total <= all.scarceBytes() || heldBytes + bytes <= mostBytes(connections);
  }

  private long shareBytes(int connections) {
    return all.scarceBytes() / Math.max(1, (long) connections * all.loops());
  }

  /** Who holds more than this, while others have nothing, holds too much. */
  private long mostBytes(int connections) {
    return Math.max(SMALL_BYTES, shareBytes(connections));
  }

  /**
   * A connection that keeps no more than this is not what makes memory scarce: if none kept more,
   * it would not be.
   */
  private long blamelessBytes(int connections) {
    return Math.min(SMALL_BYTES, shareBytes(connections));
  }

  /** When to {@link #relieve} at the latest, or {@link Long#MAX_VALUE}. */
  long nextLookNanos(long nowNanos) {
    return all.total() > all.scarceBytes() ? nowNanos + LOOK_NANOS : Long.MAX_VALUE;
  }

  /** Closes connections, those first that take least, as far as memory is scarce. */
  void relieve(HandlerSet handlers, long nowNanos) {
    long total = all.total();
    if (total <= all.scarceBytes()) {
      return;
    }
    // Each look is at all connections: a fruitless one is not repeated before something changes.
    if (total < fruitlessTotal && nextLookNanos - nowNanos > 0) {
      return;
    }
    while (total > all.scarceBytes()) {
      int leastUrgency = leastUrgency(total);
      long blameless = leastUrgency == WaitingBytes.MOVING ? 0 : blamelessBytes(handlers.size());
      SocketHandler victim = handlers.worst(leastUrgency, blameless, nowNanos);
      if (victim == null && total > all.tightBytes()) {
        victim = handlers.fullest(mostBytes(handlers.size()));
      }
      if (victim == null) {
        fruitlessTotal = total + STEP_BYTES;
        nextLookNanos = nowNanos + FRUITLESS_LOOK_NANOS;
        return;
      }
      victim.evict(all.maxBytes());
      all.add(untold);
      untold = 0;
      total = all.total();
    }
  }

  /** Whom to close: see {@link WaitingBytes#urgency}. */
  private int leastUrgency(long total) {
    if (total > all.maxBytes()) {
      return WaitingBytes.MOVING;
    }
    return total > all.tightBytes() ? WaitingBytes.STUCK : WaitingBytes.DEAD;
  }
}
