package dev.peregrine.rpc.protocol;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * At most one line a second of one kind, after a few at once where that is wanted, so that nobody
 * fills the log from outside. Any thread.
 */
public final class LogLimit {

  private static final long INTERVAL_NANOS = 1_000_000_000L;

  private final long aheadNanos;

  /** When the lines written so far are paid for, at one a second. */
  private final AtomicLong paidNanos = new AtomicLong(System.nanoTime() - INTERVAL_NANOS);

  private final AtomicInteger suppressed = new AtomicInteger();

  /** One line a second. */
  public LogLimit() {
    this(1);
  }

  /**
   * One line a second in the long run.
   *
   * @param atOnce so many may come together, 1 or more
   */
  public LogLimit(int atOnce) {
    this.aheadNanos = (atOnce - 1) * INTERVAL_NANOS;
  }

  /** Whether a line may be written now; otherwise it is counted. */
  public boolean permits(long nowNanos) {
    long paid = paidNanos.get();
    while (paid - nowNanos <= aheadNanos) {
      long next = (paid - nowNanos > 0 ? paid : nowNanos) + INTERVAL_NANOS;
      if (paidNanos.compareAndSet(paid, next)) {
        return true;
      }
      paid = paidNanos.get();
    }
    suppressed.incrementAndGet();
    return false;
  }

  /** What to append to a line: how many were not written since the last one. */
  public String takeSuppressed() {
    int count = suppressed.getAndSet(0);
    return count == 0 ? "" : " (and " + count + " more like this)";
  }
}
