package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads: every task runs once, soon, and none waits behind another that blocks. */
@Timeout(60)
class WorkerPoolTest {

  private final List<WorkerPool> pools = new ArrayList<>();

  private WorkerPool pool(int threads) {
    WorkerPool pool = new WorkerPool(threads, "test-worker").start();
    pools.add(pool);
    return pool;
  }

  @AfterEach
  void close() {
    pools.forEach(WorkerPool::close);
  }

  /** Submits tasks as one batch. */
  private static void submit(WorkerPool pool, HandlerTask... tasks) {
    for (int i = 0; i + 1 < tasks.length; i++) {
      tasks[i].linkQueued(tasks[i + 1]);
    }
    pool.submit(tasks[0], tasks[tasks.length - 1]);
  }

  private static HandlerTask task(Runnable action) {
    return new FakeTask(action);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(30, TimeUnit.SECONDS), "not in time");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void runsBatchesOfSeveralLoopsEachTaskOnce() {
    int producers = 3;
    int batches = 4_000;
    int perBatch = 5;
    int tasks = producers * batches * perBatch;
    AtomicIntegerArray runs = new AtomicIntegerArray(tasks);
    CountDownLatch done = new CountDownLatch(tasks);
    WorkerPool pool = pool(4);
    for (int p = 0; p < producers; p++) {
      int from = p * batches * perBatch;
      new Thread(
              () -> {
                for (int b = 0; b < batches; b++) {
                  HandlerTask[] batch = new HandlerTask[perBatch];
                  for (int i = 0; i < perBatch; i++) {
                    int number = from + b * perBatch + i;
                    batch[i] =
                        task(
                            () -> {
                              runs.incrementAndGet(number);
                              done.countDown();
                            });
                  }
                  submit(pool, batch);
                }
              })
          .start();
    }
    await(done);
    for (int i = 0; i < tasks; i++) {
      assertEquals(1, runs.get(i), "task " + i);
    }
  }

  @Test
  void singleWorkerKeepsTheOrder() {
    List<Integer> order = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(1000);
    WorkerPool pool = pool(1);
    for (int i = 0; i < 1000; i++) {
      int number = i;
      HandlerTask task =
          task(
              () -> {
                order.add(number);
                done.countDown();
              });
      submit(pool, task);
    }
    await(done);
    for (int i = 0; i < 1000; i++) {
      assertEquals(i, order.get(i));
    }
  }

  @Test
  void noWakeUpIsLostWhenTasksComeOneByOne() {
    WorkerPool pool = pool(2);
    for (int i = 0; i < 20_000; i++) {
      AtomicBoolean ran = new AtomicBoolean();
      submit(pool, task(() -> ran.set(true)));
      long latest = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (!ran.get()) {
        Thread.onSpinWait();
        assertTrue(System.nanoTime() < latest, "round " + i);
      }
    }
  }

  @Test
  void blockedTaskNeverHoldsBackItsNeighboursWhileAWorkerIsFree() {
    WorkerPool pool = pool(4);
    for (int round = 0; round < 300; round++) {
      CountDownLatch release = new CountDownLatch(1);
      CountDownLatch blocked = new CountDownLatch(3);
      CountDownLatch ran = new CountDownLatch(20);
      HandlerTask[] batch = new HandlerTask[23];
      for (int i = 0; i < batch.length; i++) {
        boolean blocks = i % 3 == 0 && i < 9;
        batch[i] =
            task(
                () -> {
                  if (blocks) {
                    blocked.countDown();
                    await(release);
                  } else {
                    ran.countDown();
                  }
                });
      }
      submit(pool, batch);
      await(blocked);
      await(ran);
      release.countDown();
    }
  }

  @Test
  void everyWorkerIsWokenByOneBatch() {
    int threads = 6;
    WorkerPool pool = pool(threads);
    Set<Thread> seen = ConcurrentHashMap.newKeySet();
    CountDownLatch all = new CountDownLatch(threads);
    HandlerTask[] batch = new HandlerTask[threads];
    for (int i = 0; i < threads; i++) {
      batch[i] =
          task(
              () -> {
                seen.add(Thread.currentThread());
                all.countDown();
                await(all);
              });
    }
    submit(pool, batch);
    await(all);
    assertEquals(threads, seen.size());
  }

  @Test
  void closeRunsWhatWasSubmittedAndEndsTheThreads() throws InterruptedException {
    WorkerPool pool = pool(2);
    AtomicInteger ran = new AtomicInteger();
    Set<Thread> seen = ConcurrentHashMap.newKeySet();
    CountDownLatch started = new CountDownLatch(2);
    CountDownLatch release = new CountDownLatch(1);
    Runnable gate =
        () -> {
          seen.add(Thread.currentThread());
          started.countDown();
          await(release);
        };
    submit(pool, task(gate), task(gate));
    await(started);
    for (int i = 0; i < 500; i++) {
      submit(pool, task(ran::incrementAndGet));
    }
    pool.close();
    release.countDown();
    for (Thread thread : seen) {
      thread.join(30_000);
      assertFalse(thread.isAlive());
    }
    assertEquals(500, ran.get());
  }

  @Test
  void idleThreadsEndWhenClosed() throws InterruptedException {
    WorkerPool pool = pool(1);
    CountDownLatch ran = new CountDownLatch(1);
    List<Thread> worker = new ArrayList<>();
    HandlerTask task =
        task(
            () -> {
              worker.add(Thread.currentThread());
              ran.countDown();
            });
    submit(pool, task);
    await(ran);
    pool.close();
    worker.get(0).join(30_000);
    assertFalse(worker.get(0).isAlive());
  }

  @Test
  void faultOfATaskDoesNotEndItsWorker() {
    WorkerPool pool = pool(1);
    CountDownLatch ran = new CountDownLatch(1);
    try (LogCapture log = new LogCapture()) {
      HandlerTask faulty =
          task(
              () -> {
                throw new StackOverflowError("on purpose");
              });
      submit(pool, faulty, task(ran::countDown));
      await(ran);
      assertEquals(1, log.records().size());
    }
  }

  @Test
  void interruptOfOneTaskIsNotSeenByTheNext() {
    WorkerPool pool = pool(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    CountDownLatch ran = new CountDownLatch(1);
    HandlerTask next =
        task(
            () -> {
              interrupted.set(Thread.currentThread().isInterrupted());
              ran.countDown();
            });
    submit(pool, task(() -> Thread.currentThread().interrupt()), next);
    await(ran);
    assertFalse(interrupted.get());
  }

  /** Else one call that lives long, or in the old generation, would keep all later ones alive. */
  @Test
  void taskThatRanDoesNotHoldTheNextOnes() {
    WorkerPool pool = pool(1);
    HandlerTask[] tasks = new HandlerTask[10];
    CountDownLatch ran = new CountDownLatch(tasks.length);
    for (int i = 0; i < tasks.length; i++) {
      tasks[i] = task(ran::countDown);
    }
    submit(pool, tasks);
    await(ran);
    for (int i = 0; i + 1 < tasks.length; i++) {
      assertNull(tasks[i].nextQueued(), "task " + i);
    }
  }

  @Test
  void taskThatHasRunIsNotKept() throws InterruptedException {
    WorkerPool pool = pool(2);
    CountDownLatch done = new CountDownLatch(1);
    WeakReference<HandlerTask> last = submitted(pool, done);
    await(done);
    // No sleep would do: it is let go when its worker has found nothing else to run.
    while (last.get() != null) {
      System.gc();
      Thread.onSpinWait();
    }
    assertNull(last.get());
  }

  /** In a frame of its own, which does not keep the task either. */
  private static WeakReference<HandlerTask> submitted(WorkerPool pool, CountDownLatch done) {
    HandlerTask task = task(done::countDown);
    submit(pool, task);
    return new WeakReference<>(task);
  }
}
