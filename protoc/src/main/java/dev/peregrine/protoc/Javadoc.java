package dev.peregrine.protoc;

import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.ArrayList;
import java.util.List;

/** Confined to one file. The comments of a .proto file as Javadoc. */
final class Javadoc {

  private final SourceComments comments;

  /** Of a file. */
  Javadoc(FileDescriptor file) {
    this.comments = new SourceComments(file);
  }

  /**
   * The comment of an element as Javadoc.
   *
   * @param path its path in {@code FileDescriptorProto} (descriptor.proto, SourceCodeInfo)
   * @param indent what each line begins with
   * @param columns where lines end at the latest, if words allow
   * @return no lines where there is no comment
   */
  List<String> of(List<Integer> path, String indent, int columns) {
    String comment = comments.of(path);
    return comment == null ? List.of() : lines(comment, indent, columns);
  }

  /** A comment, as protoc found it, as Javadoc. */
  static List<String> lines(String comment, String indent, int columns) {
    List<String> text = new ArrayList<>();
    for (List<String> paragraph : paragraphs(comment)) {
      if (!text.isEmpty()) {
        text.add("");
      }
      addParagraph(
          paragraph, !text.isEmpty(), columns - indent.length() - "/**  */".length(), text);
    }
    return framed(text, indent);
  }

  private static List<List<String>> paragraphs(String comment) {
    List<List<String>> paragraphs = new ArrayList<>();
    List<String> current = new ArrayList<>();
    for (String line : comment.lines().toList()) {
      if (line.isBlank()) {
        if (!current.isEmpty()) {
          paragraphs.add(current);
        }
        current = new ArrayList<>();
      } else {
        current.add(escape(SourceComments.line(line)));
      }
    }
    if (!current.isEmpty()) {
      paragraphs.add(current);
    }
    return paragraphs;
  }

  private static void addParagraph(
      List<String> paragraph, boolean further, int columns, List<String> text) {
    if (paragraph.stream().anyMatch(Javadoc::isLaidOut)) {
      // Lists, tables and code keep their lines.
      text.add("<pre>");
      text.addAll(paragraph);
      text.add("</pre>");
      return;
    }
    StringBuilder line = new StringBuilder(further ? "<p>" : "");
    int wordsOnLine = 0;
    for (String word : String.join(" ", paragraph).split(" +", -1)) {
      if (wordsOnLine > 0 && line.length() + 1 + word.length() > columns) {
        text.add(line.toString());
        line.setLength(0);
        wordsOnLine = 0;
      }
      line.append(wordsOnLine > 0 ? " " : "").append(word);
      wordsOnLine++;
    }
    text.add(line.toString());
  }

  private static boolean isLaidOut(String line) {
    char first = line.charAt(0);
    return first == ' ' || first == '\t' || first == '|' || line.matches("([-*+#]|[0-9]+[.)]) .*");
  }

  /** Compact: the marks share the first and the last line with the text. */
  private static List<String> framed(List<String> text, String indent) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < text.size(); i++) {
      String end = i == text.size() - 1 ? " */" : "";
      lines.add((indent + (i == 0 ? "/** " : " * ") + text.get(i) + end).stripTrailing());
    }
    return lines;
  }

  /** Makes text safe in a Java comment, a Javadoc comment and HTML. */
  private static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '@' -> escaped.append("&#64;");
        case '\\' -> escaped.append("&#92;"); // JLS 3.3: a backslash and u is an escape anywhere
        case '/' -> escaped.append(i > 0 && text.charAt(i - 1) == '*' ? "&#47;" : "/");
        default -> escaped.append(c == '\t' || !Character.isISOControl(c) ? c : ' ');
      }
    }
    return escaped.toString();
  }
}
