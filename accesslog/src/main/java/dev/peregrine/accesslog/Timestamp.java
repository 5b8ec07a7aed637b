package dev.peregrine.accesslog;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times as text, UTC. Texts are kept for a second, which many lines share. Any thread. */
final class Timestamp {

  private static final DateTimeFormatter COMMON =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss +0000", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final DateTimeFormatter ISO =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.", Locale.ROOT).withZone(ZoneOffset.UTC);

  private record Second(long epochSecond, String common, String iso) {}

  /** Immutable, so that threads that race for it at worst make it twice. */
  private static Second last = new Second(Long.MIN_VALUE, "", "");

  private Timestamp() {}

  private static Second second(long millis) {
    long epochSecond = Math.floorDiv(millis, 1000L);
    Second known = last;
    if (known.epochSecond() != epochSecond) {
      Instant instant = Instant.ofEpochSecond(epochSecond);
      known = new Second(epochSecond, COMMON.format(instant), ISO.format(instant));
      last = known;
    }
    return known;
  }

  /** As {@code 10/Oct/2026:13:55:36 +0000}. */
  static void common(Line line, long millis) {
    line.raw(second(millis).common());
  }

  /** As {@code 2026-10-10T13:55:36.123Z}. */
  static void iso(Line line, long millis) {
    line.raw(second(millis).iso()).three((int) Math.floorMod(millis, 1000L)).raw("Z");
  }
}
