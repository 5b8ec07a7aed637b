package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LogLimitTest {

  private static final long SECOND = 1_000_000_000L;

  private static int permitted(LogLimit limit, int lines, long nowNanos) {
    int permitted = 0;
    for (int i = 0; i < lines; i++) {
      permitted += limit.permits(nowNanos) ? 1 : 0;
    }
    return permitted;
  }

  @Test
  void oneLineASecondSaysHowManyWereLeftOut() {
    LogLimit limit = new LogLimit();
    long start = System.nanoTime();
    assertTrue(limit.permits(start));
    assertEquals("", limit.takeSuppressed());
    assertEquals(0, permitted(limit, 7, start + SECOND - 1));
    assertTrue(limit.permits(start + SECOND));
    assertEquals(" (and 7 more like this)", limit.takeSuppressed());
    assertEquals("", limit.takeSuppressed());
  }

  @Test
  void theFirstFewComeAtOnceAndAgainAfterAPause() {
    LogLimit limit = new LogLimit(10);
    long start = System.nanoTime() + SECOND;
    assertEquals(10, permitted(limit, 1000, start));
    assertEquals(1, permitted(limit, 1000, start + SECOND));
    assertEquals(1, permitted(limit, 1000, start + 2 * SECOND));
    assertEquals(10, permitted(limit, 1000, start + 60 * SECOND));
  }

  @Test
  void aLongSilenceEarnsNoMoreThanThat() {
    LogLimit limit = new LogLimit(2);
    long start = System.nanoTime() + 1_000_000 * SECOND;
    assertEquals(2, permitted(limit, 1000, start));
    assertFalse(limit.permits(start + SECOND - 1));
  }
}
