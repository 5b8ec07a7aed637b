package dev.peregrine.accesslog;

import java.nio.charset.StandardCharsets;

/**
 * A line under way: printable ASCII and nothing else, whatever a client has sent, so that nobody
 * can end a line, a string or a terminal's patience by a header field. One thread.
 */
final class Line {

  private static final int USUAL_CHARS = 320;
  private static final char[] HEX = "0123456789abcdef".toCharArray();
  private static final int FIRST_PRINTABLE = 0x20;
  private static final int LAST_PRINTABLE = 0x7e;

  private final StringBuilder text = new StringBuilder(USUAL_CHARS);

  /** Appends our own text as it is. */
  Line raw(String own) {
    text.append(own);
    return this;
  }

  Line number(long value) {
    text.append(value);
    return this;
  }

  /** Two digits. */
  Line two(int value) {
    text.append((char) ('0' + value / 10)).append((char) ('0' + value % 10));
    return this;
  }

  /** Three digits. */
  Line three(int value) {
    text.append((char) ('0' + value / 100));
    return two(value % 100);
  }

  /**
   * Appends what a client has sent, within quotes: a quote and a backslash behind a backslash,
   * anything not printable as {@code \xHH}, as Apache's and nginx's logs have it.
   *
   * @param maxChars what is longer ends with {@code ...}
   */
  Line quoted(String foreign, int maxChars) {
    return escaped(foreign, maxChars, "\\x");
  }

  /** The same as the inside of a JSON string (RFC 8259, 7). */
  Line json(String foreign, int maxChars) {
    return escaped(foreign, maxChars, "\\u00");
  }

  private Line escaped(String foreign, int maxChars, String escape) {
    int length = Math.min(foreign.length(), maxChars);
    for (int i = 0; i < length; i++) {
      char c = foreign.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c >= FIRST_PRINTABLE && c <= LAST_PRINTABLE) {
        text.append(c);
      } else if (c <= 0xff) {
        text.append(escape).append(HEX[c >> 4]).append(HEX[c & 0xf]);
      } else {
        // Field values hold a byte for each character; this is none.
        text.append('?');
      }
    }
    if (length < foreign.length()) {
      text.append("...");
    }
    return this;
  }

  /** The line with its end. */
  byte[] end() {
    return text.append('\n').toString().getBytes(StandardCharsets.ISO_8859_1);
  }
}
