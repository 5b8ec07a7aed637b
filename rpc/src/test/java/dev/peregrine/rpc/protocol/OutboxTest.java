package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.wire.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The way from handler threads to a loop: everything arrives, once, in order, and wakes. */
@Timeout(60)
class OutboxTest {

  /** An entry that is no call. */
  private static class Entry extends OutboxEntry {
    private final Runnable action;

    Entry(Runnable action) {
      this.action = action;
    }

    @Override
    public Transport transport() {
      throw new AssertionError("not asked for");
    }

    @Override
    protected void runOnLoop() {
      action.run();
    }

    @Override
    void runHandler() {
      throw new AssertionError("not a task");
    }

    @Override
    void rejected(Throwable reason) {
      throw new AssertionError("not a task");
    }
  }

  private static int deliverAll(Outbox outbox) {
    int count = 0;
    OutboxEntry entry = outbox.takeAll();
    while (entry != null) {
      OutboxEntry next = entry.next();
      entry.deliver();
      entry = next;
      count++;
    }
    return count;
  }

  @Test
  void oldestComesFirstAndOnlyTheFirstWakes() {
    AtomicInteger wakes = new AtomicInteger();
    Outbox outbox = new Outbox(wakes::incrementAndGet);
    List<Integer> order = new ArrayList<>();
    assertTrue(outbox.isEmpty());
    assertNull(outbox.takeAll());
    for (int i = 0; i < 5; i++) {
      int number = i;
      outbox.offer(new Entry(() -> order.add(number)));
    }
    assertEquals(1, wakes.get());
    assertEquals(5, deliverAll(outbox));
    assertEquals(List.of(0, 1, 2, 3, 4), order);
    assertTrue(outbox.isEmpty());
    outbox.offer(new Entry(() -> {}));
    assertEquals(2, wakes.get());
  }

  @Test
  void entryIsInThereOnceUntilItIsDelivered() {
    AtomicInteger runs = new AtomicInteger();
    Outbox outbox = new Outbox(() -> {});
    Entry entry = new Entry(runs::incrementAndGet);
    outbox.offer(entry);
    outbox.offer(entry);
    OutboxEntry taken = outbox.takeAll();
    outbox.offer(entry);
    assertTrue(outbox.isEmpty(), "taken, but not delivered yet");
    taken.deliver();
    assertEquals(1, runs.get());
    outbox.offer(entry);
    assertEquals(1, deliverAll(outbox));
    assertEquals(2, runs.get());
  }

  @Test
  void entryMayBeOfferedWhileItRuns() {
    Outbox outbox = new Outbox(() -> {});
    AtomicInteger runs = new AtomicInteger();
    List<Entry> self = new ArrayList<>();
    self.add(
        new Entry(
            () -> {
              if (runs.incrementAndGet() < 3) {
                outbox.offer(self.get(0));
              }
            }));
    outbox.offer(self.get(0));
    while (deliverAll(outbox) > 0) {
      assertTrue(runs.get() <= 3);
    }
    assertEquals(3, runs.get());
  }

  /** A loop as the server's: declares that it sleeps, looks once more, sleeps. */
  private static final class SleepyLoop {
    private final AtomicBoolean asleep = new AtomicBoolean();
    private final Thread thread;
    private final Outbox outbox;

    SleepyLoop(Thread thread) {
      this.thread = thread;
      this.outbox =
          new Outbox(
              () -> {
                if (asleep.get() && asleep.compareAndSet(true, false)) {
                  LockSupport.unpark(thread);
                }
              });
    }

    /** Delivers until a number of deliveries was made. */
    void runUntil(AtomicLong delivered, long wanted) {
      assertEquals(thread, Thread.currentThread());
      long latest = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (delivered.get() < wanted) {
        if (deliverAll(outbox) == 0) {
          asleep.set(true);
          while (asleep.get() && outbox.isEmpty()) {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(10));
            assertTrue(System.nanoTime() < latest, "a wake-up was lost at " + delivered);
          }
          asleep.set(false);
        }
      }
    }
  }

  @Test
  void nothingIsLostOrDoubledAndEachThreadKeepsItsOrder() throws InterruptedException {
    int producers = 3;
    int perProducer = 60_000;
    SleepyLoop loop = new SleepyLoop(Thread.currentThread());
    AtomicLong delivered = new AtomicLong();
    int[] nextOf = new int[producers];
    List<Thread> threads = new ArrayList<>();
    for (int p = 0; p < producers; p++) {
      int producer = p;
      threads.add(
          new Thread(
              () -> {
                for (int i = 0; i < perProducer; i++) {
                  int number = i;
                  loop.outbox.offer(
                      new Entry(
                          () -> {
                            assertEquals(nextOf[producer]++, number);
                            delivered.incrementAndGet();
                          }));
                  // So that the loop falls asleep now and then.
                  while (i % 64 == 0 && !loop.outbox.isEmpty()) {
                    Thread.onSpinWait();
                  }
                }
              }));
    }
    threads.forEach(Thread::start);
    loop.runUntil(delivered, (long) producers * perProducer);
    for (Thread thread : threads) {
      thread.join();
    }
    assertTrue(loop.outbox.isEmpty());
  }

  /** As streams do it: work is added where the entry looks, then the entry is offered, again. */
  @Test
  void whatWasAddedBeforeAnOfferIsSeenByTheNextDelivery() throws InterruptedException {
    int producers = 3;
    int perProducer = 100_000;
    SleepyLoop loop = new SleepyLoop(Thread.currentThread());
    AtomicLong added = new AtomicLong();
    AtomicLong seen = new AtomicLong();
    Entry entry = new Entry(() -> seen.set(added.get()));
    List<Thread> threads = new ArrayList<>();
    for (int p = 0; p < producers; p++) {
      threads.add(
          new Thread(
              () -> {
                for (int i = 0; i < perProducer; i++) {
                  added.incrementAndGet();
                  loop.outbox.offer(entry);
                }
              }));
    }
    threads.forEach(Thread::start);
    loop.runUntil(seen, (long) producers * perProducer);
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
