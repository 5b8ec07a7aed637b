package dev.peregrine.server;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that a whole server has for bytes which wait: responses for peers that do not read,
 * requests for their rest or for a handler. Any thread; each loop counts by a {@link LoopBytes}.
 *
 * <pre>
 *   1/2  scarce: who leaves bytes waiting gets no new calls, producers pause,
 *        connections that have taken nothing for a while are closed
 *   3/4  those which took nothing at all are closed at once
 *    1   full: whoever holds most is closed
 *   5/4  nobody gets a new call
 * </pre>
 */
final class QueuedBytes {

  /** The part of the heap that may be full of bytes which wait, unless told otherwise. */
  private static final int HEAP_PART = 4;

  private final long maxBytes;
  private final Runnable alarm;
  private final AtomicLong total = new AtomicLong();
  private int loops; // set before the loops' threads start

  /**
   * No bytes yet.
   *
   * @param alarm has every loop look at its connections; run each time a border is passed upwards
   */
  QueuedBytes(long maxBytes, Runnable alarm) {
    this.maxBytes = maxBytes;
    this.alarm = alarm;
  }

  /** What a server may keep unless told otherwise. */
  static long defaultMaxBytes() {
    return Runtime.getRuntime().maxMemory() / HEAP_PART;
  }

  /** One more loop counts here. Before any of them runs. */
  void addLoop() {
    loops++;
  }

  int loops() {
    return loops;
  }

  /** Counts more bytes, or fewer. */
  void add(long bytes) {
    long now = total.addAndGet(bytes);
    long before = now - bytes;
    if (passes(before, now, scarceBytes())
        || passes(before, now, tightBytes())
        || passes(before, now, maxBytes)) {
      alarm.run();
    }
  }

  /** Counts more bytes, unless that would be too many. */
  boolean reserve(int bytes) {
    if (total.get() + bytes > maxBytes) {
      return false;
    }
    add(bytes);
    return true;
  }

  private static boolean passes(long before, long now, long border) {
    return before <= border && now > border;
  }

  /** How many bytes wait. */
  long total() {
    return total.get();
  }

  long maxBytes() {
    return maxBytes;
  }

  /** Where memory begins to be scarce. */
  long scarceBytes() {
    return maxBytes / 2;
  }

  /** Where connections that take nothing are not waited for. */
  long tightBytes() {
    return maxBytes / 4 * 3;
  }

  /** Where nobody gets a new call. */
  long refuseAllBytes() {
    return maxBytes / 4 * 5;
  }
}
