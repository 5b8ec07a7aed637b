package dev.peregrine.accesslog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

/** What a client sends stays within its quotes. */
class LineTest {

  private static String text(Line line) {
    return new String(line.end(), ISO_8859_1);
  }

  @Test
  void foreignTextIsEscaped() {
    String[][] cases = {
      {"plain", "plain", "plain"},
      {"a\"b", "a\\\"b", "a\\\"b"},
      {"a\\b", "a\\\\b", "a\\\\b"},
      {"a\r\nb", "a\\x0d\\x0ab", "a\\u000d\\u000ab"},
      {"a\0b", "a\\x00b", "a\\u0000b"},
      {"\033[2J", "\\x1b[2J", "\\u001b[2J"},
      {"\u00e9\u007f", "\\xe9\\x7f", "\\u00e9\\u007f"},
      {"\u2028x", "?x", "?x"},
      {"12345678901", "1234567890...", "1234567890..."},
    };
    for (String[] one : cases) {
      assertEquals(one[1] + "\n", text(new Line().quoted(one[0], 10)));
      assertEquals(one[2] + "\n", text(new Line().json(one[0], 10)));
    }
  }

  @FuzzTest
  void foreignTextNeverLeavesItsQuotes(FuzzedDataProvider data) {
    int maxChars = data.consumeInt(0, 40);
    String foreign = data.consumeRemainingAsString();
    String quoted = text(new Line().quoted(foreign, maxChars));
    assertTrue(quoted.matches("(?:[ !#-\\[\\]-~]|\\\\x[0-9a-f]{2}|\\\\[\"\\\\])*\n"), quoted);
    String json = text(new Line().raw("\"").json(foreign, maxChars).raw("\""));
    String value = JsonParser.parseString(json.strip()).getAsString();
    assertTrue(value.length() <= maxChars + 3, value);
  }
}
