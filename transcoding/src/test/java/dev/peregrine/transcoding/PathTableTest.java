package dev.peregrine.transcoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which template a path fits, and what its variables take. */
final class PathTableTest {

  private static PathTable<PathTemplate> table(String... templates) {
    PathTable<PathTemplate> table = new PathTable<>();
    for (String rule : templates) {
      int space = rule.indexOf(' ');
      PathTemplate template = PathTemplate.parse(rule.substring(space + 1));
      table.add(rule.substring(0, space), template, template);
    }
    return table;
  }

  private static String found(PathTable<PathTemplate> table, String method, String path) {
    PathTable.Fit<PathTemplate> fit = table.find(method, path);
    if (fit == null) {
      return "none";
    }
    StringBuilder text = new StringBuilder(fit.value().text());
    for (PathTemplate.Variable variable : fit.value().variables()) {
      text.append(' ').append(variable.fieldPath()).append('=').append(fit.text(variable));
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/shelves/1, /v1/{name=shelves/*} name=shelves/1",
    "/v1/shelves/1%2F2, /v1/{name=shelves/*} name=shelves/1%2F2",
    "/v1/shelves/own, /v1/shelves/own",
    "/v1/shelves/own/books, /v1/{parent=shelves/*}/books parent=shelves/own",
    "/v1/shelves, /v1/shelves",
    "/v1/shelves/, none",
    "/v1/shelves//books, none",
    "/v1/shelves/1:move, /v1/{name=shelves/*}:move name=shelves/1",
    "/v1/shelves/a:b:move, /v1/{name=shelves/*}:move name=shelves/a:b",
    "/v1/shelves/1:other, /v1/{name=shelves/*} name=shelves/1:other",
    "/v1/shelves/own:move, /v1/{name=shelves/*}:move name=shelves/own",
    "/v1/shelves/:move, /v1/{name=shelves/*} name=shelves/:move",
    "/v1/shelves:batchGet, /v1/shelves:batchGet",
    "/v1/files, /v1/files/{path=**} path=",
    "/v1/files/, /v1/files/{path=**} path=",
    "/v1/files/a/b, /v1/files/{path=**} path=a/b",
    "/v1/files//a, /v1/files/{path=**} path=/a",
    "/v1/files/a/b:stat, /v1/files/{path=**}:stat path=a/b",
    "/v1/files:stat, /v1/files/{path=**}:stat path=",
    "/v1/tree, /v1/{name=tree/**} name=tree",
    "/v1/tree/a/b, /v1/{name=tree/**} name=tree/a/b",
    "/v2/a/b/c, /v2/{x}/{y=b/*} x=a y=b/c",
    "/v2/a/c, /v2/{x}/** x=a",
    "/v2/a, /v2/{x}/** x=a",
    "/v2/, none",
    "/, /",
    "'', none",
    "*, none",
    "/v1, none",
    "/v1/unknown, none",
  })
  void theMostSpecificTemplateIsFound(String path, String expected) {
    PathTable<PathTemplate> table =
        table(
            "GET /v1/{name=shelves/*}",
            "GET /v1/shelves",
            "GET /v1/shelves/own",
            "GET /v1/{parent=shelves/*}/books",
            "GET /v1/{name=shelves/*}:move",
            "GET /v1/shelves:batchGet",
            "GET /v1/files/{path=**}",
            "GET /v1/files/{path=**}:stat",
            "GET /v1/{name=tree/**}",
            "GET /v2/{x}/{y=b/*}",
            "GET /v2/{x}/**",
            "GET /");
    assertEquals(expected, found(table, "GET", path));
  }

  @Test
  void aMoreSpecificTemplateOfAnotherMethodIsNoObstacle() {
    PathTable<PathTemplate> table = table("GET /a/b", "DELETE /a/{x}", "* /{y=**}");
    assertEquals("/a/b", found(table, "GET", "/a/b"));
    assertEquals("/a/{x} x=b", found(table, "DELETE", "/a/b"));
    assertEquals("/{y=**} y=a/b", found(table, "PURGE", "/a/b"));
    assertEquals(List.of("*", "DELETE", "GET"), table.methods("/a/b"));
    assertEquals(List.of("*"), table.methods("/c"));
  }

  @Test
  void theFirstOfTwoEqualTemplatesIsKept() {
    PathTable<String> table = new PathTable<>();
    assertNull(table.add("GET", PathTemplate.parse("/{a}"), "first"));
    assertEquals("first", table.add("GET", PathTemplate.parse("/{b=*}"), "second"));
    assertEquals("first", table.find("GET", "/x").value());
  }

  @Test
  void aPathThatFitsManyPrefixesCostsNoMoreThanThereAreNodes() {
    List<String> templates = new ArrayList<>();
    for (int i = 0; i < 1 << 10; i++) {
      StringBuilder template = new StringBuilder("GET ");
      for (int bit = 0; bit < 10; bit++) {
        template.append((i >> bit & 1) == 0 ? "/a" : "/*");
      }
      templates.add(template + "/end");
    }
    PathTable<PathTemplate> table = table(templates.toArray(new String[0]));
    // 2,047 nodes each; were it not so, this would take until the end of the world.
    for (int i = 0; i < 100; i++) {
      assertEquals("none", found(table, "GET", "/a".repeat(8_000)));
    }
  }

  private static final PathTable<PathTemplate> ANY =
      table(
          "GET /a/{x}",
          "GET /{x=a/**}",
          "GET /{x}:v",
          "POST /{x=*/b}/{y=**}:w",
          "* /c/*/**",
          "GET /");

  @FuzzTest(maxDuration = "20s")
  void whatVariablesTakeIsPartOfThePath(FuzzedDataProvider data) {
    String method = data.consumeBoolean() ? "GET" : "POST";
    String path = data.consumeRemainingAsString();
    PathTable.Fit<PathTemplate> fit = ANY.find(method, path);
    if (fit == null) {
      assertEquals(false, ANY.methods(path).contains(method));
      return;
    }
    for (PathTemplate.Variable variable : fit.value().variables()) {
      assertEquals(true, path.contains(fit.text(variable)));
      assertEquals(true, variable.multiple() || fit.text(variable).indexOf('/') < 0);
    }
  }
}
