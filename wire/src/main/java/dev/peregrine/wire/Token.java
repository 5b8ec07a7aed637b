package dev.peregrine.wire;

/** What a token may hold, e.g. a method or a field name (RFC 9110, 5.6.2). Any thread: no state. */
public final class Token {

  private static final boolean[] CHARACTERS = new boolean[128];

  static {
    for (char c = '0'; c <= '9'; c++) {
      CHARACTERS[c] = true;
    }
    for (char c = 'a'; c <= 'z'; c++) {
      CHARACTERS[c] = true;
      CHARACTERS[c - 'a' + 'A'] = true;
    }
    for (char c : "!#$%&'*+-.^_`|~".toCharArray()) {
      CHARACTERS[c] = true;
    }
  }

  private Token() {}

  /** Whether a token may hold a character; a byte above 127 comes as a negative number. */
  public static boolean mayHold(int c) {
    return c >= 0 && c < CHARACTERS.length && CHARACTERS[c];
  }

  /** The same for a field name of HTTP/2, which has no upper case (RFC 9113, 8.2.1). */
  public static boolean mayHoldInLowerCase(int c) {
    return mayHold(c) && !(c >= 'A' && c <= 'Z');
  }
}
