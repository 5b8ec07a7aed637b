package dev.peregrine.server;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** At most one line a second of one kind, so that nobody fills the log from outside. Any thread. */
final class LogLimit {

  private static final long INTERVAL_NANOS = 1_000_000_000L;

  private final AtomicLong lastNanos = new AtomicLong(System.nanoTime() - INTERVAL_NANOS);
  private final AtomicInteger suppressed = new AtomicInteger();

  /** Whether a line may be written now; otherwise it is counted. */
  boolean permits(long nowNanos) {
    long last = lastNanos.get();
    if (nowNanos - last >= INTERVAL_NANOS && lastNanos.compareAndSet(last, nowNanos)) {
      return true;
    }
    suppressed.incrementAndGet();
    return false;
  }

  /** What to append to a line: how many were not written since the last one. */
  String takeSuppressed() {
    int count = suppressed.getAndSet(0);
    return count == 0 ? "" : " (and " + count + " more like this)";
  }
}
