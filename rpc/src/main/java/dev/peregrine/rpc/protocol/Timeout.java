package dev.peregrine.rpc.protocol;

/** The value of {@code grpc-timeout}: 1 to 8 digits and a unit (PROTOCOL-HTTP2). Any thread. */
final class Timeout {

  /** There is no such field: the call has no deadline. */
  static final long NONE = -1;

  /** The value is not a timeout. */
  static final long MALFORMED = -2;

  private static final int MAX_DIGITS = 8;

  private Timeout() {}

  /** The timeout in nanoseconds, at most {@link Long#MAX_VALUE}; or {@link #MALFORMED}. */
  static long parse(String text) {
    int digits = text.length() - 1;
    if (digits < 1 || digits > MAX_DIGITS) {
      return MALFORMED;
    }
    long amount = 0;
    for (int i = 0; i < digits; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return MALFORMED;
      }
      amount = amount * 10 + digit;
    }
    long unitNanos = unitNanos(text.charAt(digits));
    if (unitNanos == MALFORMED) {
      return MALFORMED;
    }
    // 99999999H is 11,415 years: more than 63 bits of nanoseconds hold.
    return amount > Long.MAX_VALUE / unitNanos ? Long.MAX_VALUE : amount * unitNanos;
  }

  private static long unitNanos(char unit) {
    return switch (unit) {
      case 'H' -> 3_600_000_000_000L;
      case 'M' -> 60_000_000_000L;
      case 'S' -> 1_000_000_000L;
      case 'm' -> 1_000_000L;
      case 'u' -> 1_000L;
      case 'n' -> 1L;
      default -> MALFORMED;
    };
  }
}
