package dev.peregrine.wire.http1;

import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.Token;
import java.nio.charset.StandardCharsets;

/** Lines, tokens and field lines (RFC 9112, 2.2 and 5; RFC 9110, 5). Any thread: no state. */
final class FieldSyntax {

  private FieldSyntax() {}

  static boolean isBlank(byte c) {
    return c == ' ' || c == '\t';
  }

  /** Where the first LF is, or −1. */
  static int indexOfLineFeed(byte[] bytes, int from, int end) {
    for (int i = from; i < end; i++) {
      if (bytes[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  /**
   * Requires CR before an LF. RFC 9112, 2.2 lets a recipient take a bare LF for a line's end; where
   * two recipients differ in that, requests are smuggled.
   */
  static void requireCarriageReturn(byte[] bytes, int lineStart, int lineFeed) throws RequestError {
    if (lineFeed == lineStart || bytes[lineFeed - 1] != '\r') {
      throw RequestError.malformed("a line ends without CR LF");
    }
  }

  /**
   * Appends a field line.
   *
   * @param end where its CR is
   */
  static void add(byte[] bytes, int start, int end, Headers fields) throws RequestError {
    int colon = start;
    while (colon < end && Token.mayHold(bytes[colon])) {
      colon++;
    }
    // RFC 9112, 5.1 and 5.2: neither space before the colon nor at the line's start (obs-fold).
    if (colon == start || colon == end || bytes[colon] != ':') {
      throw RequestError.malformed(
          isBlank(bytes[start])
              ? "a field line begins with white space"
              : "a field line does not begin with a name and a colon");
    }
    int from = colon + 1;
    int to = end;
    while (from < to && isBlank(bytes[from])) {
      from++;
    }
    while (to > from && isBlank(bytes[to - 1])) {
      to--;
    }
    checkValue(bytes, from, to);
    fields.add(
        name(bytes, start, colon), new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
  }

  private static HeaderName name(byte[] bytes, int start, int end) {
    byte[] lower = new byte[end - start];
    for (int i = 0; i < lower.length; i++) {
      byte c = bytes[start + i];
      lower[i] = c >= 'A' && c <= 'Z' ? (byte) (c + 'a' - 'A') : c;
    }
    return HeaderName.of(lower, 0, lower.length);
  }

  /** RFC 9110, 5.5: no control characters but the tabulator. */
  private static void checkValue(byte[] bytes, int from, int to) throws RequestError {
    for (int i = from; i < to; i++) {
      byte c = bytes[i];
      if ((c >= 0 && c < ' ' && c != '\t') || c == 0x7f) {
        throw RequestError.malformed("a field value has a control character");
      }
    }
  }
}
