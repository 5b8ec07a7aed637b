package dev.peregrine.wire;

/** The value of a Content-Length field (RFC 9110, 8.6). Any thread: no state. */
public final class ContentLength {

  /** Says that a value is no number. */
  public static final long MALFORMED = -1;

  /** More digits than 2^63 has; nobody sends that much. */
  private static final int MAX_DIGITS = 18;

  private ContentLength() {}

  /** The number of bytes, or {@link #MALFORMED}: digits only, so neither a sign nor a list. */
  public static long parse(String value) {
    if (value.isEmpty() || value.length() > MAX_DIGITS) {
      return MALFORMED;
    }
    long number = 0;
    for (int i = 0; i < value.length(); i++) {
      int digit = value.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return MALFORMED;
      }
      number = number * 10 + digit;
    }
    return number;
  }
}
