package dev.peregrine.transcoding;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A path template of {@code google/api/http.proto}, e.g. {@code /v1/{name=shelves/*}:publish}.
 * Immutable, any thread.
 *
 * @param segments literals, {@link #ONE} and, last of all, {@link #REST}
 * @param verb what follows the last colon; empty for none
 */
record PathTemplate(String text, List<String> segments, List<Variable> variables, String verb) {

  /** Matches one segment. */
  static final String ONE = "*";

  /** Matches any number of segments. */
  static final String REST = "**";

  /**
   * A field that takes the text of some segments.
   *
   * @param from the first segment's index
   * @param to the index behind the last segment
   * @param multiple whether it may hold slashes of its own
   */
  record Variable(String fieldPath, int from, int to, boolean multiple) {}

  /**
   * Parses a template.
   *
   * @throws IllegalArgumentException in one sentence
   */
  static PathTemplate parse(String text) {
    return new Parser(text).parse();
  }

  @Override
  public String toString() {
    return text;
  }

  /** Reads a template from left to right. */
  private static final class Parser {

    private final String text;
    private final List<String> segments = new ArrayList<>();
    private final List<Variable> variables = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private int at;

    Parser(String text) {
      this.text = text;
    }

    PathTemplate parse() {
      if (!text.startsWith("/")) {
        throw fault("it does not begin with a slash");
      }
      int colon = text.lastIndexOf(':');
      boolean hasVerb = colon > Math.max(text.lastIndexOf('/'), text.lastIndexOf('}'));
      int end = hasVerb ? colon : text.length();
      String verb = hasVerb ? text.substring(colon + 1) : "";
      if (hasVerb && !isLiteral(verb)) {
        throw fault("\"" + verb + "\" is not a verb");
      }
      while (at < end) {
        at++; // the slash
        if (at < end && text.charAt(at) == '{') {
          variable(end);
        } else if (at < end || end > 1) {
          segment(end);
        }
        if (at < end && text.charAt(at) != '/') {
          throw fault("a slash is missing at character " + at);
        }
      }
      int rest = segments.indexOf(REST);
      if (rest >= 0 && rest < segments.size() - 1) {
        throw fault("** is not its last segment");
      }
      return new PathTemplate(text, List.copyOf(segments), List.copyOf(variables), verb);
    }

    private void variable(int end) {
      int close = text.indexOf('}', at);
      if (close < 0 || close >= end) {
        throw fault("a variable is not closed");
      }
      int equals = text.indexOf('=', at);
      boolean bare = equals < 0 || equals > close;
      String name = text.substring(at + 1, bare ? close : equals);
      if (!isFieldPath(name)) {
        throw fault("\"" + name + "\" is not a field path");
      }
      if (!names.add(name)) {
        throw fault(name + " is there twice");
      }
      int from = segments.size();
      if (bare) {
        segments.add(ONE);
      } else {
        at = equals;
        while (at < close) {
          at++; // the equals sign or a slash
          segment(close);
        }
      }
      at = close + 1;
      int to = segments.size();
      boolean multiple = to - from > 1 || segments.get(from).equals(REST);
      variables.add(new Variable(name, from, to, multiple));
    }

    private void segment(int end) {
      int slash = text.indexOf('/', at);
      int stop = slash < 0 ? end : Math.min(slash, end);
      String segment = text.substring(at, stop);
      if (!segment.equals(ONE) && !segment.equals(REST) && !isLiteral(segment)) {
        throw fault("\"" + segment + "\" is not a segment");
      }
      segments.add(segment);
      at = stop;
    }

    private static boolean isLiteral(String segment) {
      boolean good = !segment.isEmpty();
      for (int i = 0; i < segment.length(); i++) {
        char c = segment.charAt(i);
        good &= c > ' ' && c < 0x7f && "{}*?#".indexOf(c) < 0;
      }
      return good;
    }

    private static boolean isFieldPath(String path) {
      boolean good = true;
      for (String name : path.split("\\.", -1)) {
        good &= !name.isEmpty() && !Character.isDigit(name.charAt(0));
        for (int i = 0; i < name.length(); i++) {
          char c = name.charAt(i);
          good &= c == '_' || (c < 0x7f && Character.isLetterOrDigit(c));
        }
      }
      return good;
    }

    private IllegalArgumentException fault(String why) {
      return new IllegalArgumentException("\"" + text + "\" is not a path template: " + why);
    }
  }
}
