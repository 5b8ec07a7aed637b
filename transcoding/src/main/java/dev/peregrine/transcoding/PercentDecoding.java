package dev.peregrine.transcoding;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.peregrine.rpc.MalformedMessageException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** The text behind the percent signs of a request target (RFC 3986, 2.1), UTF-8. Any thread. */
final class PercentDecoding {

  private PercentDecoding() {}

  /** A path segment. */
  static String segment(String raw) throws MalformedMessageException {
    return decode(raw, false, false);
  }

  /** Several path segments: a slash that was escaped stays so, to be told from the others. */
  static String segments(String raw) throws MalformedMessageException {
    return decode(raw, true, false);
  }

  /** A name or value in a query: a plus sign is a space there, as browsers write it. */
  static String query(String raw) throws MalformedMessageException {
    return decode(raw, false, true);
  }

  /**
   * Decodes.
   *
   * @param raw one character for each byte
   */
  private static String decode(String raw, boolean keepSlash, boolean plusIsSpace)
      throws MalformedMessageException {
    byte[] bytes = new byte[raw.length()];
    int size = 0;
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      int value = c == '+' && plusIsSpace ? ' ' : c;
      if (c == '%') {
        value = escaped(raw, i);
        if (value < 0) {
          throw new MalformedMessageException("a percent sign of the target is no escape");
        }
        if (value != '/' || !keepSlash) {
          i += 2;
        } else {
          value = '%'; // and its digits follow
        }
      }
      bytes[size++] = (byte) value;
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, size)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedMessageException("the target is not UTF-8");
    }
  }

  private static int escaped(String raw, int at) {
    int high = at + 2 < raw.length() ? hexDigit(raw.charAt(at + 1)) : -1;
    int low = at + 2 < raw.length() ? hexDigit(raw.charAt(at + 2)) : -1;
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  private static int hexDigit(char c) {
    return c < 0x7f ? Character.digit(c, 16) : -1;
  }
}
