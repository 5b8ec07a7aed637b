package dev.peregrine.rpc.protocol;

/**
 * Makes one line for a log of what a peer has sent, or may have had a part in. Stateless, any
 * thread.
 */
public final class LogText {

  private static final char[] HEX = "0123456789abcdef".toCharArray();
  private static final int FIRST_PRINTABLE = 0x20;
  private static final int LAST_PRINTABLE = 0x7e;

  private LogText() {}

  /**
   * Printable ASCII: line ends, terminal sequences and all else that is not are {@code \}{@code
   * uHHHH}, and a backslash is two.
   *
   * @param maxChars what is longer is cut, and ends with {@code ...}
   */
  public static String line(String foreign, int maxChars) {
    int length = Math.min(foreign.length(), maxChars);
    StringBuilder text = new StringBuilder(length + 3);
    for (int i = 0; i < length; i++) {
      char c = foreign.charAt(i);
      if (c == '\\') {
        text.append("\\\\");
      } else if (c >= FIRST_PRINTABLE && c <= LAST_PRINTABLE) {
        text.append(c);
      } else {
        text.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
          text.append(HEX[c >> shift & 0xf]);
        }
      }
    }
    return length < foreign.length() ? text.append("...").toString() : text.toString();
  }
}
