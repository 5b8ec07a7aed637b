package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.Deadlines.SLOTS;
import static dev.peregrine.rpc.protocol.Deadlines.TICK_SHIFT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The timer wheel: never early, at most a tick late, whatever is added and removed meanwhile. */
class DeadlinesTest {

  private static final long TICK_NANOS = 1L << TICK_SHIFT;
  private static final long TURN_NANOS = SLOTS * TICK_NANOS;

  private long nowNanos = 5;
  private final Deadlines deadlines = new Deadlines(nowNanos);
  private final List<Entry> fired = new ArrayList<>();

  /** A timer and what the test knows of it. */
  private final class Entry implements Deadlines.Listener {
    private final long deadlineNanos;
    private final Runnable action;
    private Deadlines.Timer timer;
    private long firedNanos = -1;

    Entry(long deadlineNanos, Runnable action) {
      this.deadlineNanos = deadlineNanos;
      this.action = action;
    }

    @Override
    public void deadlinePassed() {
      assertEquals(-1, firedNanos, "fired twice");
      firedNanos = nowNanos;
      fired.add(this);
      action.run();
    }
  }

  private Entry add(long deadlineNanos) {
    return add(deadlineNanos, () -> {});
  }

  private Entry add(long deadlineNanos, Runnable action) {
    Entry entry = new Entry(deadlineNanos, action);
    entry.timer = deadlines.add(entry, deadlineNanos);
    return entry;
  }

  /** Does what a loop does until a time: sleeps no longer than it is told. */
  private void runUntil(long endNanos) {
    while (true) {
      long next = deadlines.nextNanos();
      if (next > endNanos) {
        nowNanos = endNanos;
        deadlines.expire(nowNanos);
        return;
      }
      nowNanos = Math.max(nowNanos, next);
      deadlines.expire(nowNanos);
    }
  }

  private static void assertPunctual(Entry entry) {
    long lateNanos = entry.firedNanos - entry.deadlineNanos;
    assertTrue(
        lateNanos >= 0 && lateNanos <= TICK_NANOS,
        "deadline " + entry.deadlineNanos + " fired at " + entry.firedNanos);
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        TICK_NANOS - 1,
        TICK_NANOS,
        TICK_NANOS + 1,
        1_000_000_000L,
        TURN_NANOS - 1,
        TURN_NANOS,
        TURN_NANOS + 1,
        10 * TURN_NANOS + 12345,
        24 * 3600 * 1_000_000_000L
      })
  void firesNeverEarlyAndAtMostATickLate(long aheadNanos) {
    Entry entry = add(nowNanos + aheadNanos);
    runUntil(nowNanos + aheadNanos + 2 * TURN_NANOS);
    assertEquals(List.of(entry), fired);
    assertPunctual(entry);
  }

  @Test
  void nothingIsNextWhenNothingIsArmed() {
    assertEquals(Long.MAX_VALUE, deadlines.nextNanos());
    deadlines.remove(add(nowNanos + 1).timer);
    assertEquals(Long.MAX_VALUE, deadlines.nextNanos());
    runUntil(nowNanos + TURN_NANOS);
    assertTrue(fired.isEmpty());
  }

  @Test
  void deadlineInThePastFiresAtTheNextTick() {
    runUntil(100 * TURN_NANOS);
    Entry entry = add(3);
    runUntil(nowNanos + TICK_NANOS);
    assertEquals(List.of(entry), fired);
  }

  @Test
  void lateLoopFiresEverythingAtOnce() {
    for (int i = 0; i < 3000; i++) {
      add(nowNanos + i * (10 * TICK_NANOS));
    }
    nowNanos += 100 * TURN_NANOS;
    deadlines.expire(nowNanos);
    assertEquals(3000, fired.size());
    assertEquals(Long.MAX_VALUE, deadlines.nextNanos());
  }

  @Test
  void clockThatStandsStillFiresNothing() {
    add(nowNanos + TICK_NANOS);
    for (int i = 0; i < 5; i++) {
      deadlines.expire(nowNanos);
    }
    assertTrue(fired.isEmpty());
  }

  @Test
  void deadlineBeyondTheClockIsNeverReached() {
    add(nowNanos + Long.MAX_VALUE / 2);
    runUntil(nowNanos + 50 * TURN_NANOS);
    assertTrue(fired.isEmpty());
  }

  @Test
  void firedTimerMayAddOneThatIsDueAtOnce() {
    long laterNanos = nowNanos + 50 * TICK_NANOS;
    List<Entry> added = new ArrayList<>();
    add(nowNanos + 10 * TICK_NANOS, () -> added.add(add(nowNanos - 40 * TICK_NANOS)));
    nowNanos = laterNanos;
    deadlines.expire(nowNanos);
    assertEquals(1, fired.size());
    runUntil(laterNanos + 2 * TICK_NANOS);
    assertEquals(added.get(0), fired.get(1));
  }

  @Test
  void firedTimerMayRemoveOthersThatAreDueOrNot() {
    long dueNanos = nowNanos + 3 * TICK_NANOS;
    List<Entry> entries = new ArrayList<>();
    Runnable removeAll =
        () -> {
          for (Entry entry : entries) {
            if (entry.firedNanos < 0) {
              deadlines.remove(entry.timer);
            }
          }
        };
    for (int i = 0; i < 10; i++) {
      entries.add(add(dueNanos + i % 3 * TURN_NANOS, removeAll));
    }
    runUntil(dueNanos + 5 * TURN_NANOS);
    assertEquals(1, fired.size());
    assertEquals(Long.MAX_VALUE, deadlines.nextNanos());
  }

  /** Clients choose their deadlines, so they may put them all into one slot. */
  @Test
  void manyTimersInOneSlotCostEachALookOnly() {
    int count = 60_000;
    for (int i = 0; i < count; i++) {
      add(nowNanos + 7 * TICK_NANOS);
    }
    for (int i = 0; i < count; i++) {
      add(nowNanos + 7 * TICK_NANOS + TURN_NANOS);
    }
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> {
          nowNanos += 9 * TICK_NANOS;
          deadlines.expire(nowNanos);
        });
    assertEquals(count, fired.size());
  }

  @Test
  void agreesWithAListUnderRandomUse() {
    Random random = new Random(7);
    List<Entry> armed = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      int choice = random.nextInt(10);
      if (choice < 6) {
        armed.add(add(nowNanos + randomAheadNanos(random)));
      } else if (choice < 8 && !armed.isEmpty()) {
        deadlines.remove(armed.remove(random.nextInt(armed.size())).timer);
      } else {
        runUntil(nowNanos + (long) (random.nextDouble() * 5 * TICK_NANOS));
        fired.forEach(DeadlinesTest::assertPunctual);
        armed.removeAll(fired);
        fired.clear();
        for (Entry entry : armed) {
          assertTrue(entry.deadlineNanos > nowNanos - TICK_NANOS, "overdue");
        }
      }
    }
    runUntil(nowNanos + 20 * TURN_NANOS);
    assertEquals(armed.size(), fired.size());
    fired.forEach(DeadlinesTest::assertPunctual);
  }

  private static long randomAheadNanos(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> random.nextInt(1000);
      case 1 -> (long) (random.nextDouble() * 20 * TICK_NANOS);
      default -> (long) (random.nextDouble() * 3 * TURN_NANOS);
    };
  }
}
