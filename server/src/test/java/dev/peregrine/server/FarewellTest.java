package dev.peregrine.server;

import static dev.peregrine.server.Farewell.FLUSH_NANOS;
import static dev.peregrine.server.Farewell.LINGER_BYTES;
import static dev.peregrine.server.Farewell.LINGER_MAX_NANOS;
import static dev.peregrine.server.Farewell.LINGER_NANOS;
import static dev.peregrine.server.Farewell.STALL_NANOS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FarewellTest {

  private static final long START_NANOS = 1_000_000;

  private final Farewell farewell = new Farewell(1000, START_NANOS);

  @Test
  void peerThatTakesNothingIsNotWaitedFor() {
    assertEquals(START_NANOS + STALL_NANOS, farewell.deadlineNanos());
    assertFalse(farewell.isOver(1000, START_NANOS + STALL_NANOS - 1));
    assertTrue(farewell.isOver(1000, START_NANOS + STALL_NANOS));
  }

  @Test
  void peerThatTakesSomethingIsWaitedForAMinuteInAll() {
    long nowNanos = START_NANOS;
    long sentBytes = 1000;
    while (nowNanos - START_NANOS < FLUSH_NANOS) {
      assertFalse(farewell.isOver(sentBytes++, nowNanos));
      nowNanos = farewell.deadlineNanos();
    }
    assertEquals(START_NANOS + FLUSH_NANOS, nowNanos);
    assertTrue(farewell.isOver(sentBytes, nowNanos));
  }

  @Test
  void silentPeerHasHalfASecondForItsFin() {
    farewell.linger(2000, START_NANOS);
    assertFalse(farewell.isOver(2000, START_NANOS + LINGER_NANOS - 1));
    assertTrue(farewell.isOver(2000, START_NANOS + LINGER_NANOS));
  }

  @Test
  void peerThatSendsIsListenedToWithinBounds() {
    farewell.linger(2000, START_NANOS);
    long nowNanos = START_NANOS;
    while (farewell.deadlineNanos() - START_NANOS < LINGER_MAX_NANOS) {
      assertFalse(farewell.isOver(2000, nowNanos));
      assertTrue(farewell.dropped(10, nowNanos));
      nowNanos = farewell.deadlineNanos() - 1;
    }
    assertEquals(START_NANOS + LINGER_MAX_NANOS, farewell.deadlineNanos());
    assertTrue(farewell.isOver(2000, START_NANOS + LINGER_MAX_NANOS));
    assertFalse(farewell.dropped(LINGER_BYTES, nowNanos));
  }
}
