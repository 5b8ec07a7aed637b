package dev.peregrine.json;

/** Where a JSON text ends (RFC 8259, 2: one value, and white space around it). Any thread. */
final class JsonEnd {

  private JsonEnd() {}

  /**
   * Whether a text has nothing behind its first value.
   *
   * @param text begins with a well-formed value
   */
  static boolean isBehindFirstValue(String text) {
    int at = 0;
    while (at < text.length() && (isSpace(text.charAt(at)) || text.charAt(at) == '\ufeff')) {
      at++;
    }
    int depth = 0;
    boolean literal = false;
    do {
      char c = at < text.length() ? text.charAt(at) : ' ';
      if (c == '"') {
        at = endOfString(text, at);
      } else if (c == '{' || c == '[') {
        depth++;
      } else if (c == '}' || c == ']') {
        depth--;
      } else {
        literal = depth == 0 && !isSpace(c);
      }
      at++;
    } while (at < text.length() && (depth > 0 || literal));
    while (at < text.length() && isSpace(text.charAt(at))) {
      at++;
    }
    return at >= text.length();
  }

  /** The index of the quote which ends a string, or the length of a text without one. */
  private static int endOfString(String text, int quote) {
    int at = quote + 1;
    while (at < text.length() && text.charAt(at) != '"') {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    return at;
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }
}
