package dev.peregrine.server;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The common end of a server's loops. Any thread.
 *
 * <p>A loop hands sockets it accepts to its neighbours, so none may end before all have stopped
 * accepting: a connection the kernel has accepted is a call that must not be lost.
 */
final class Shutdown {

  private final List<EventLoop> loops;
  private final AtomicInteger accepting;
  private final AtomicInteger running;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicBoolean begun = new AtomicBoolean();
  private final AtomicBoolean drained = new AtomicBoolean();
  private final CountDownLatch draining = new CountDownLatch(1);
  private final CountDownLatch haste = new CountDownLatch(1);
  private final Runnable beforeDrain;
  private final long drainDelayNanos;
  private final Runnable afterLoops;

  /**
   * For loops that are going to be started.
   *
   * @param loops filled before any of them starts
   * @param beforeDrain run once, by whoever begins the end; it may take its time
   * @param drainDelayNanos how long the loops go on as before after that
   * @param afterLoops run once, by the last loop
   */
  Shutdown(
      List<EventLoop> loops,
      int count,
      Runnable beforeDrain,
      long drainDelayNanos,
      Runnable afterLoops) {
    this.loops = loops;
    this.accepting = new AtomicInteger(count);
    this.running = new AtomicInteger(count);
    this.beforeDrain = beforeDrain;
    this.drainDelayNanos = drainDelayNanos;
    this.afterLoops = afterLoops;
  }

  /**
   * Begins the orderly end of all loops, and returns when they drain. If someone else has begun it,
   * waits for that, but not for longer than the caller would let calls take: then the rest of the
   * delay, and of what services do before, is not waited for. An interrupt has the same effect.
   *
   * @throws InterruptedException when the loops drain
   */
  void begin(long graceNanos) throws InterruptedException {
    if (begun.compareAndSet(false, true)) {
      try {
        beforeDrain.run();
        haste.await(drainDelayNanos, TimeUnit.NANOSECONDS);
      } finally {
        drain();
      }
      return;
    }
    try {
      draining.await(graceNanos, TimeUnit.NANOSECONDS);
    } finally {
      haste.countDown();
      drain(); // services that have not heard of it yet hear of it too late
    }
  }

  private void drain() {
    if (drained.compareAndSet(false, true)) {
      for (EventLoop loop : loops) {
        loop.execute(loop::drain);
      }
      draining.countDown();
    }
  }

  /** Whether all loops have ended. */
  boolean ended() {
    return ended.getCount() == 0;
  }

  /** Ends all connections at once. */
  void abort() {
    for (EventLoop loop : loops) {
      loop.execute(loop::abort);
    }
  }

  /** Waits for the end of all loops. */
  boolean await(long nanos) throws InterruptedException {
    return ended.await(nanos, TimeUnit.NANOSECONDS);
  }

  /** Waits for the end of all loops, without limit. */
  void await() throws InterruptedException {
    ended.await();
  }

  // ---- what a loop tells

  /** A loop has stopped accepting. */
  void acceptingEnded() {
    if (accepting.decrementAndGet() == 0) {
      for (EventLoop loop : loops) {
        loop.execute(() -> {}); // each looks again whether it is finished
      }
    }
  }

  /** Whether no loop accepts any more, so that no socket can be handed over. */
  boolean nothingComes() {
    return accepting.get() == 0;
  }

  /** A loop's thread ends. */
  void loopEnded() {
    if (running.decrementAndGet() == 0) {
      try {
        afterLoops.run();
      } finally {
        ended.countDown();
      }
    }
  }
}
