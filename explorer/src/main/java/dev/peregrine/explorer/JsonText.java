package dev.peregrine.explorer;

import java.util.List;
import java.util.Map;

/**
 * One thread. JSON from maps, lists, strings, numbers and booleans, such that it may stand in HTML:
 * no character in it can end a {@code script} element or begin a comment.
 */
final class JsonText {

  private final StringBuilder text = new StringBuilder();

  private JsonText() {}

  /** A value as JSON. */
  static String of(Object value) {
    JsonText json = new JsonText();
    json.add(value);
    return json.text.toString();
  }

  private void add(Object value) {
    if (value instanceof Map<?, ?> map) {
      addObject(map);
    } else if (value instanceof List<?> list) {
      addArray(list);
    } else if (value instanceof Number || value instanceof Boolean) {
      text.append(value);
    } else {
      addString((String) value);
    }
  }

  private void addObject(Map<?, ?> map) {
    char before = '{';
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      text.append(before);
      addString((String) entry.getKey());
      text.append(':');
      add(entry.getValue());
      before = ',';
    }
    text.append(map.isEmpty() ? "{}" : "}");
  }

  private void addArray(List<?> list) {
    char before = '[';
    for (Object value : list) {
      text.append(before);
      add(value);
      before = ',';
    }
    text.append(list.isEmpty() ? "[]" : "]");
  }

  private void addString(String string) {
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      switch (c) {
        case '"' -> text.append("\\\"");
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        // HTML, 4.12.1.3: what begins with < may end a script or change how it is read.
        case '<', '>', '&', '\u2028', '\u2029' -> addEscape(c);
        default -> {
          // A lone surrogate would become a question mark on its way to UTF-8.
          if (c < ' ' || Character.isSurrogate(c)) {
            addEscape(c);
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }

  private void addEscape(char c) {
    text.append(String.format("\\u%04x", (int) c));
  }
}
