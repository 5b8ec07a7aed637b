package dev.peregrine.rpc.protocol;

import java.nio.charset.StandardCharsets;

/**
 * The encoding of {@code grpc-message} (PROTOCOL-HTTP2, "Responses"): UTF-8, then {@code %XX} for
 * every byte outside 0x20 to 0x7E and for the percent sign. Any thread.
 */
final class PercentEncoding {

  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private PercentEncoding() {}

  /** Encodes a text; a lone surrogate becomes U+FFFD. */
  static String encode(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (mustEscape(text.charAt(i))) {
        return encodeAll(text);
      }
    }
    return text;
  }

  private static boolean mustEscape(int c) {
    return c < 0x20 || c > 0x7e || c == '%';
  }

  private static String encodeAll(String text) {
    byte[] utf8 = wellFormed(text).getBytes(StandardCharsets.UTF_8);
    StringBuilder encoded = new StringBuilder(utf8.length + 16);
    for (byte b : utf8) {
      int value = b & 0xff;
      if (mustEscape(value)) {
        encoded.append('%').append(HEX[value >> 4]).append(HEX[value & 0xf]);
      } else {
        encoded.append((char) value);
      }
    }
    return encoded.toString();
  }

  /** A text without lone surrogates, of which String.getBytes would make question marks. */
  static String wellFormed(String text) {
    StringBuilder fixed = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) {
        i++;
      } else if (Character.isSurrogate(c)) {
        fixed = fixed == null ? new StringBuilder(text) : fixed;
        fixed.setCharAt(i, '\ufffd');
      }
    }
    return fixed == null ? text : fixed.toString();
  }

  /**
   * Cuts an encoded text to a number of characters without leaving half an escape or half a UTF-8
   * sequence at its end.
   */
  static String cut(String encoded, int maxChars) {
    if (encoded.length() <= maxChars) {
      return encoded;
    }
    int end = Math.max(0, maxChars);
    // Back over the escapes that touch the cut, to where a character begins.
    while (end > 0 && !beginsCharacter(encoded, end)) {
      end--;
    }
    return encoded.substring(0, end);
  }

  private static boolean beginsCharacter(String encoded, int at) {
    boolean insideEscape =
        (at >= 1 && encoded.charAt(at - 1) == '%') || (at >= 2 && encoded.charAt(at - 2) == '%');
    if (insideEscape) {
      return false;
    }
    if (encoded.charAt(at) != '%') {
      return true;
    }
    int value = Integer.parseInt(encoded, at + 1, at + 3, 16);
    return (value & 0xc0) != 0x80;
  }
}
