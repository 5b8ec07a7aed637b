package dev.peregrine.rpc.protocol;

/** The value of {@code connect-timeout-ms}: 1 to 10 digits. Any thread. */
final class ConnectTimeout {

  private static final int MAX_DIGITS = 10;
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private ConnectTimeout() {}

  /**
   * The timeout in nanoseconds.
   *
   * @param text the field's value, or {@code null}
   * @return {@link Timeout#NONE} for {@code null}, {@link Timeout#MALFORMED} for another text
   */
  static long parse(String text) {
    if (text == null) {
      return Timeout.NONE;
    }
    if (text.isEmpty() || text.length() > MAX_DIGITS) {
      return Timeout.MALFORMED;
    }
    long millis = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return Timeout.MALFORMED;
      }
      millis = millis * 10 + digit;
    }
    return millis * NANOS_PER_MILLI;
  }
}
