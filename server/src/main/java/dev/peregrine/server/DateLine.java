package dev.peregrine.server;

import dev.peregrine.wire.http1.DateField;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The date field of HTTP/1.1 responses, made anew once a second. One per event loop, loop-confined.
 */
final class DateLine implements DateField {

  /** RFC 9110, 5.6.7: IMF-fixdate. */
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final long SECOND_MILLIS = 1_000;
  private static final long MILLI_NANOS = 1_000_000;

  private final EventLoop loop;
  private byte[] line;
  private long nextNanos;

  DateLine(EventLoop loop) {
    this.loop = loop;
  }

  @Override
  public byte[] line() {
    long now = loop.nowNanos();
    if (line == null || nextNanos - now <= 0) {
      long millis = System.currentTimeMillis();
      String text = FORMAT.format(Instant.ofEpochMilli(millis));
      line = ("date: " + text + "\r\n").getBytes(StandardCharsets.US_ASCII);
      nextNanos = now + (SECOND_MILLIS - millis % SECOND_MILLIS) * MILLI_NANOS;
    }
    return line;
  }
}
