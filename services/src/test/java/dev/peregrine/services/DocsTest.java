package dev.peregrine.services;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the documentation shows compiles. */
class DocsTest {

  private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** What a reader has around a snippet. */
  private static final String AROUND =
      """
      import com.google.protobuf.*;
      import com.google.protobuf.Descriptors.FileDescriptor;
      import dev.peregrine.rpc.*;
      import dev.peregrine.rpc.Service;
      import dev.peregrine.server.*;
      import dev.peregrine.services.*;
      import java.time.Duration;
      class Snippet%d {
        static class Greeter implements Service {
          public ServiceDefinition definition() {
            return ServiceDefinition.of("helloworld.Greeter");
          }
        }
        void run(FileDescriptor file) throws Exception {
      %s
        }
      }
      """;

  @ParameterizedTest
  @ValueSource(strings = {"health.md", "reflection.md"})
  void everySnippetCompiles(String document, @TempDir Path classes) throws Exception {
    String text = Files.readString(Path.of("..", "docs", document));
    List<JavaFileObject> sources = new ArrayList<>();
    Matcher snippet = SNIPPET.matcher(text);
    while (snippet.find()) {
      sources.add(source(sources.size(), AROUND.formatted(sources.size(), snippet.group(1))));
    }
    assertFalse(sources.isEmpty());
    StringWriter errors = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> options =
        List.of(
            "-proc:none", "-cp", System.getProperty("java.class.path"), "-d", classes.toString());
    boolean compiled = compiler.getTask(errors, null, null, options, null, sources).call();
    assertEquals("", errors.toString());
    assertTrue(compiled);
  }

  private static JavaFileObject source(int number, String text) {
    URI uri = URI.create("string:///Snippet" + number + ".java");
    return new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }
}
