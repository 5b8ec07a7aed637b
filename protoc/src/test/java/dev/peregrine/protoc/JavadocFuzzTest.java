package dev.peregrine.protoc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a comment says, it stays a comment. */
class JavadocFuzzTest {

  private static final int COLUMNS = 80;

  @FuzzTest
  void staysOneComment(FuzzedDataProvider data) {
    check(data.consumeRemainingAsString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*/",
        "**/",
        "*\n/",
        "/*/",
        "*\t/",
        "\\u002a\\u002f",
        "\\\\u000a",
        "@param x",
        "{@code }",
        "<pre>",
        "&#42;/",
        "a\r*/\rb",
        "\0\u001b[31m",
        "*",
        " * /",
        "\u2028*/\u2029",
        "- *\n/"
      })
  void staysOneCommentWithOddText(String comment) {
    check(comment);
  }

  private static void check(String comment) {
    String javadoc = String.join("\n", Javadoc.lines(comment, "  ", COLUMNS));
    if (comment.isBlank() && javadoc.isEmpty()) {
      return;
    }
    assertTrue(javadoc.startsWith("  /** "), javadoc);
    assertEquals(javadoc.length() - 2, javadoc.indexOf("*/"), javadoc);
    assertFalse(javadoc.contains("\\"), javadoc);
    assertFalse(javadoc.contains("@"), javadoc);
    assertTrue(javadoc.chars().noneMatch(c -> c < ' ' && c != '\n' && c != '\t'), javadoc);
  }
}
