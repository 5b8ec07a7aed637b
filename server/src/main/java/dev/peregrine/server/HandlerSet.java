package dev.peregrine.server;

import static dev.peregrine.server.WaitingBytes.MOVING;

import java.util.Arrays;

/**
 * The connections of one loop, and the sweep over their limits of time. Loop-confined.
 *
 * <p>Limits of connections are seconds long and nearly never reached, so looking at all connections
 * four times a second costs less than keeping a queue in order on every read. While none has a
 * limit running and nothing happened, nobody looks.
 */
final class HandlerSet {

  /** How late a limit may be noticed that began after the last sweep. */
  private static final long SWEEP_NANOS = 250_000_000L;

  /** Limits that are known in advance are met this exactly. */
  private static final long MIN_SWEEP_NANOS = 10_000_000L;

  private static final int INITIAL_SIZE = 64;

  private SocketHandler[] handlers = new SocketHandler[INITIAL_SIZE];
  private int size;
  private long nextSweepNanos = Long.MAX_VALUE;

  int size() {
    return size;
  }

  void add(SocketHandler handler) {
    if (size == handlers.length) {
      handlers = Arrays.copyOf(handlers, size * 2);
    }
    handler.index = size;
    handlers[size++] = handler;
  }

  /** Removes a handler; the last one takes its place. */
  void remove(SocketHandler handler) {
    int index = handler.index;
    if (index < size && handlers[index] == handler) {
      SocketHandler last = handlers[--size];
      handlers[size] = null;
      if (last != handler) {
        handlers[index] = last;
        last.index = index;
      }
    }
  }

  /** A limit may have begun to run: sweeps again soon. */
  void watch(long nowNanos) {
    if (nextSweepNanos == Long.MAX_VALUE || nextSweepNanos - nowNanos > SWEEP_NANOS) {
      nextSweepNanos = nowNanos + SWEEP_NANOS;
    }
  }

  /** When to call {@link #sweep}, or {@link Long#MAX_VALUE}. */
  long nextSweepNanos() {
    return nextSweepNanos;
  }

  /** Tells every connection whose limit has passed, or may have changed. */
  void sweep(long nowNanos) {
    if (nextSweepNanos == Long.MAX_VALUE || nextSweepNanos - nowNanos > 0) {
      return;
    }
    nextSweepNanos = Long.MAX_VALUE; // watch() may be called while we look
    long earliest = Long.MAX_VALUE;
    // Downwards: a removal moves only a handler which has been looked at.
    for (int i = size - 1; i >= 0; i--) {
      SocketHandler handler = handlers[i];
      long deadline = handler.deadlineNanos();
      if (handler.touched() || (deadline != Long.MAX_VALUE && deadline - nowNanos <= 0)) {
        handler.expire(nowNanos);
        deadline = handler.isClosed() ? Long.MAX_VALUE : handler.deadlineNanos();
      }
      if (deadline != Long.MAX_VALUE && (earliest == Long.MAX_VALUE || deadline - earliest < 0)) {
        earliest = deadline;
      }
      if (i > size) {
        i = size; // several were removed at once
      }
    }
    if (earliest != Long.MAX_VALUE) {
      long next = Math.max(earliest - nowNanos, MIN_SWEEP_NANOS);
      if (nextSweepNanos == Long.MAX_VALUE || nextSweepNanos - nowNanos > next) {
        nextSweepNanos = nowNanos + next;
      }
    }
  }

  /**
   * The connection to close first for the memory it keeps.
   *
   * @param leastUrgency one of {@link WaitingBytes}: whoever is less urgent is left alone
   * @param blamelessBytes who keeps no more than this is left alone
   * @return {@code null} if there is none
   */
  SocketHandler worst(int leastUrgency, long blamelessBytes, long nowNanos) {
    SocketHandler worst = null;
    long score = 0;
    for (int i = 0; i < size; i++) {
      WaitingBytes waiting = handlers[i].waiting();
      if (waiting.ownBytes() <= blamelessBytes) {
        continue;
      }
      int urgency = waiting.owedBytes() > blamelessBytes ? waiting.urgency(nowNanos) : MOVING;
      // Each step of urgency counts as much as twice the bytes.
      if (urgency >= leastUrgency && waiting.ownBytes() << urgency > score) {
        worst = handlers[i];
        score = waiting.ownBytes() << urgency;
      }
    }
    return worst;
  }

  /**
   * The connection whose streams keep most for their handlers.
   *
   * @param mostBytes who keeps no more than this is left alone
   * @return {@code null} if there is none
   */
  SocketHandler fullest(long mostBytes) {
    SocketHandler fullest = null;
    long bytes = mostBytes;
    for (int i = 0; i < size; i++) {
      if (handlers[i].waiting().streamBytes() > bytes) {
        fullest = handlers[i];
        bytes = fullest.waiting().streamBytes();
      }
    }
    return fullest;
  }

  /** The connection whose handshake has been in progress for longest, but for one; or null. */
  SocketHandler oldestHandshake(SocketHandler except) {
    SocketHandler oldest = null;
    for (int i = 0; i < size; i++) {
      SocketHandler handler = handlers[i];
      if (handler.inHandshake()
          && handler != except
          && (oldest == null || handler.openedNanos() - oldest.openedNanos() < 0)) {
        oldest = handler;
      }
    }
    return oldest;
  }

  /** Begins an orderly end of all connections. */
  void drain(long nowNanos) {
    for (int i = size - 1; i >= 0; i = Math.min(i, size) - 1) {
      handlers[i].drain(nowNanos);
    }
  }

  /** Ends all connections at once. */
  void abort() {
    while (size > 0) {
      SocketHandler handler = handlers[size - 1];
      handler.abort();
      remove(handler);
    }
  }
}
