package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ExpiryWarningTest {

  private static final Instant END = Instant.parse("2030-03-01T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  private final ExpiryWarning warning = new ExpiryWarning();

  private static Instant before(Duration time) {
    return END.minus(time);
  }

  @Test
  void nothingIsSaidWhileThereIsTime() {
    assertNull(warning.due(END, before(ExpiryWarning.AHEAD.plus(HOUR))));
    assertNull(warning.due(Instant.MAX, END));
  }

  // A server that was started a month before, and never again.
  @Test
  void everyDayOfTheLastTwoWeeksHasItsLine() {
    int lines = 0;
    for (Instant now = before(Duration.ofDays(30)); now.isBefore(END); now = now.plus(HOUR)) {
      if (warning.due(END, now) != null) {
        lines++;
      }
    }
    assertEquals(14, lines);
  }

  @Test
  void anotherCertificateIsWarnedOfAtOnce() {
    assertNotNull(warning.due(END, before(HOUR)));
    assertNull(warning.due(END, before(HOUR)));
    assertNotNull(warning.due(END.plus(HOUR), before(HOUR)));
  }

  @Test
  void theLineSaysWhetherItIsTooLate() {
    assertEquals("a certificate expires at " + END, warning.due(END, before(HOUR)));
    assertEquals(
        "a certificate has expired at " + END + ": clients refuse it",
        warning.due(END, END.plus(ExpiryWarning.INTERVAL)));
  }
}
