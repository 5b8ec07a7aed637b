package dev.peregrine.conformance.soak;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Random waits in handlers, so that workers finish in another order than they began. Any thread.
 *
 * <p>Off unless {@code -Dsoak.delays=true}; never on a loop, which must not wait.
 */
final class Delays {

  private static final boolean ON = Boolean.getBoolean("soak.delays");

  /** Longer than a batch of workers needs, short enough for thousands of calls a second. */
  private static final int MAX_NANOS = 3_000_000;

  private static final String LOOP = "peregrine-loop";

  private Delays() {}

  /** Waits in one of two cases. */
  static void some() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    if (ON && random.nextBoolean() && !Thread.currentThread().getName().startsWith(LOOP)) {
      LockSupport.parkNanos(random.nextInt(MAX_NANOS));
    }
  }
}
