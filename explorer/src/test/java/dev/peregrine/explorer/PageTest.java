package dev.peregrine.explorer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page as it is sent. */
class PageTest {

  private static final String SCHEMA = "{\"services\":[],\"messages\":{},\"enums\":{}}";

  private final Page page = Page.of(SCHEMA);

  private List<String> contents(String open, String close) {
    Matcher matcher =
        Pattern.compile(Pattern.quote(open) + "(.*?)" + Pattern.quote(close), Pattern.DOTALL)
            .matcher(page.html());
    return matcher.results().map(result -> result.group(1)).toList();
  }

  private static String hash(String text) throws Exception {
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
  }

  @Test
  void thePolicyAllowsExactlyTheStyleAndTheScriptOfThePage() throws Exception {
    List<String> styles = contents("<style>", "</style>");
    List<String> scripts = contents("<script type=\"module\">", "</script>");
    assertEquals(1, styles.size());
    assertEquals(1, scripts.size());
    assertTrue(page.policy().startsWith("default-src 'none'; "), page.policy());
    assertTrue(page.policy().contains("style-src " + hash(styles.get(0)) + ";"), page.policy());
    assertTrue(page.policy().contains("script-src " + hash(scripts.get(0)) + ";"), page.policy());
    assertTrue(page.policy().contains("connect-src 'self';"), page.policy());
    assertTrue(page.policy().contains("frame-ancestors 'none'"), page.policy());
    assertFalse(page.policy().contains("unsafe"), page.policy());
  }

  @Test
  void theSchemaStandsInItAsItIs() {
    assertEquals(
        List.of(SCHEMA), contents("<script type=\"application/json\" id=\"schema\">", "</script>"));
  }

  @Test
  void nothingComesFromElsewhere() {
    String html = page.html().replace("http://www.w3.org/2000/svg", "");
    for (String elsewhere : List.of("http:", "https:", "src=", "@import", "url(", "//cdn")) {
      assertFalse(html.contains(elsewhere), elsewhere);
    }
  }

  @Test
  void noScriptReadsTextAsHtml() {
    for (String reader :
        List.of("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write")) {
      assertFalse(page.html().contains(reader), reader);
    }
  }

  @Test
  void noMarkIsLeftUnreplaced() {
    assertFalse(page.html().contains("/*STYLE*/"));
    assertFalse(page.html().contains("/*SCRIPT*/"));
    assertFalse(page.html().contains("/*SCHEMA*/"));
  }
}
