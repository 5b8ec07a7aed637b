package dev.peregrine.rpc.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The parameters of a request target's query, as browsers write them ({@code
 * application/x-www-form-urlencoded}): nothing is decoded until it is asked for. Any thread.
 */
final class QueryParameters {

  private final String query;

  private QueryParameters(String query) {
    this.query = query;
  }

  /** The parameters behind the first question mark of a target; one byte per character. */
  static QueryParameters of(String target) {
    int mark = target.indexOf('?');
    return new QueryParameters(mark < 0 ? "" : target.substring(mark + 1));
  }

  /**
   * The value of the first parameter of a name, decoded to bytes; {@code null} if there is none, or
   * if its escapes are broken.
   *
   * @param name needs no escapes
   */
  byte[] bytes(String name) {
    int at = 0;
    while (at <= query.length()) {
      int end = query.indexOf('&', at);
      end = end < 0 ? query.length() : end;
      if (query.startsWith(name, at)) {
        int after = at + name.length();
        if (after == end) {
          return new byte[0];
        }
        if (after < end && query.charAt(after) == '=') {
          return decode(query, after + 1, end);
        }
      }
      at = end + 1;
    }
    return null;
  }

  /** The same as text, one character for each byte. */
  String text(String name) {
    byte[] bytes = bytes(name);
    return bytes == null ? null : new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static byte[] decode(String text, int start, int end) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(end - start);
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (c == '+') {
        bytes.write(' ');
      } else if (c != '%') {
        bytes.write(c);
      } else {
        int high = i + 2 < end ? Character.digit(text.charAt(i + 1), 16) : -1;
        int low = i + 2 < end ? Character.digit(text.charAt(i + 2), 16) : -1;
        if (high < 0 || low < 0) {
          return null;
        }
        bytes.write(high << 4 | low);
        i += 2;
      }
    }
    return bytes.toByteArray();
  }
}
