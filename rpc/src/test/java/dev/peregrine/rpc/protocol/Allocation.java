package dev.peregrine.rpc.protocol;

import java.lang.management.ManagementFactory;

/** What the current thread has allocated so far. */
final class Allocation {

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocation() {}

  static long bytes() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }
}
