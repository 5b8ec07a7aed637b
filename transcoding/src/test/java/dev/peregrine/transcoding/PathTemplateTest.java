package dev.peregrine.transcoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The grammar of path templates. */
final class PathTemplateTest {

  @Test
  void segmentsVariablesAndVerb() {
    PathTemplate template = PathTemplate.parse("/v1/{name=shelves/*/books/*}/x/{a.b}/**:publish");
    assertEquals(List.of("v1", "shelves", "*", "books", "*", "x", "*", "**"), template.segments());
    assertEquals(
        List.of(
            new PathTemplate.Variable("name", 1, 5, true),
            new PathTemplate.Variable("a.b", 6, 7, false)),
        template.variables());
    assertEquals("publish", template.verb());
  }

  @Test
  void aVariableOfAnyNumberOfSegmentsKeepsItsSlashes() {
    assertEquals(
        List.of(new PathTemplate.Variable("x", 0, 1, true)),
        PathTemplate.parse("/{x=**}").variables());
  }

  @Test
  void theRootHasNoSegments() {
    assertEquals(List.of(), PathTemplate.parse("/").segments());
    assertEquals("v", PathTemplate.parse("/:v").verb());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "v1",
        "//",
        "/v1/",
        "/v1//x",
        "/{",
        "/{a",
        "/{}",
        "/{a=}",
        "/{a=/x}",
        "/{a=x/}",
        "/{a={b}}",
        "/{1a}",
        "/{a..b}",
        "/{a-b}",
        "/{a}b",
        "/{a}{b}",
        "/x{a}",
        "/x*",
        "/***",
        "/**/x",
        "/{a=**}/x",
        "/{a}/{a}",
        "/x:",
        "/x?y",
        "/x y",
        "/größe",
        "/}",
      })
  void whatIsNoTemplateIsRefusedInOneSentence(String text) {
    IllegalArgumentException fault =
        assertThrows(IllegalArgumentException.class, () -> PathTemplate.parse(text));
    assertTrue(
        fault.getMessage().startsWith("\"" + text + "\" is not a path template: "),
        fault.getMessage());
  }
}
