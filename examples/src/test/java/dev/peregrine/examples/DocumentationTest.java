package dev.peregrine.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.greeter.GreeterService;
import com.example.greeter.HelloRequest;
import dev.peregrine.rpc.ServerObserver;
import dev.peregrine.server.Server;
import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

/** Every snippet of README.md and docs/ is what it says: complete files run, parts compile. */
class DocumentationTest {

  private static final String PROTO_FILE = "src/main/proto/greeter.proto";
  private static final String LAST_METHOD_SHOWN = "returns (HelloReply);\n";

  /** A guide with a server of its own, whose module runs the commands. */
  private static final String TESTED_BY_ITS_MODULE = "transcoding.md:";

  private static final Pattern MODULE_ROW =
      Pattern.compile("(?m)^\\| `peregrine-(\\w+)` \\| `([a-z.]+)`");

  private static final String PART =
      """
      package snippet;

      import static java.nio.charset.StandardCharsets.UTF_8;

      import com.example.greeter.*;
      import com.google.api.HttpRule;
      import com.google.protobuf.AnyProto;
      import com.google.protobuf.Descriptors.FileDescriptor;
      import com.google.protobuf.TypeProto;
      import dev.peregrine.accesslog.*;
      import dev.peregrine.explorer.*;
      import dev.peregrine.json.*;
      import dev.peregrine.micrometer.*;
      import dev.peregrine.opentelemetry.*;
      import dev.peregrine.rpc.*;
      import dev.peregrine.server.*;
      import dev.peregrine.services.*;
      import dev.peregrine.transcoding.*;
      import io.micrometer.core.instrument.*;
      import io.micrometer.core.instrument.simple.*;
      import io.micrometer.prometheusmetrics.*;
      import io.opentelemetry.api.*;
      import io.opentelemetry.api.trace.Span;
      import io.opentelemetry.sdk.OpenTelemetrySdk;
      import io.opentelemetry.sdk.autoconfigure.*;
      import java.io.*;
      import java.net.*;
      import java.nio.file.*;
      import java.security.Principal;
      import java.security.Security;
      import java.security.cert.*;
      import java.time.*;
      import java.util.*;
      import javax.net.ssl.*;

      class Snippet implements GreeterService {
        %s
      }
      """;

  private static final String STATEMENTS =
      """
      static final class Main implements GreeterService {}
      static final class Counts implements ServerObserver {}

      FileDescriptor file;
      Path chain;
      Path key;
      Server server;
      HelloRequest request;
      Context context;

      void snippet() throws Exception {
        %s
      }
      """;

  @TempDir Path directory;

  @TestFactory
  List<DynamicTest> partsOfJavaFilesCompile() throws Exception {
    List<DynamicTest> tests =
        MarkdownBlock.all("java").stream()
            .filter(block -> block.file().isEmpty())
            .map(block -> DynamicTest.dynamicTest(block.where(), () -> compilePart(block.text())))
            .toList();
    assertTrue(tests.size() > 3, "the documentation has more snippets than that");
    return tests;
  }

  private void compilePart(String text) throws Exception {
    String members = text.startsWith("@Override") ? text : STATEMENTS.formatted(text);
    compile("Snippet.java", PART.formatted(members));
  }

  @TestFactory
  List<DynamicTest> wholeJavaFilesCompile() throws Exception {
    Map<String, String> files = wholeFiles();
    String main = "src/main/java/com/example/greeter/Main.java";
    return MarkdownBlock.all("java").stream()
        .filter(block -> !block.file().isEmpty())
        .filter(block -> !block.where().startsWith(TESTED_BY_ITS_MODULE))
        .map(
            block ->
                DynamicTest.dynamicTest(block.where(), () -> compileBeside(files.get(main), block)))
        .toList();
  }

  /** Guides build upon the class of the first one. */
  private void compileBeside(String main, MarkdownBlock block) throws Exception {
    Path classes = compile("Main.java", main);
    compile(Path.of(block.file()).getFileName().toString(), block.text(), classes);
  }

  @Test
  void modulesOfTheGuideAreThereWithTheirPackages() throws Exception {
    String guide = Files.readString(Path.of("../docs/getting-started.md"));
    Matcher row = MODULE_ROW.matcher(guide);
    int modules = 0;
    while (row.find()) {
      Path module = Path.of("..", row.group(1));
      String artifact = "<artifactId>peregrine-" + row.group(1) + "</artifactId>";
      assertTrue(Files.readString(module.resolve("pom.xml")).contains(artifact), artifact);
      String folder = row.group(2).replace('.', '/');
      assertTrue(Files.isDirectory(module.resolve("src/main/java").resolve(folder)), folder);
      modules++;
    }
    assertEquals(10, modules);
  }

  private Path compile(String name, String source) throws Exception {
    return compile(name, source, directory);
  }

  private Path compile(String name, String source, Path beside) throws Exception {
    Path folder = Files.createTempDirectory(directory, "snippet");
    Path file = Files.writeString(folder.resolve(name), source);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of(
              "--release",
              "17",
              "-proc:none",
              "-d",
              folder.toString(),
              "-cp",
              System.getProperty("java.class.path") + File.pathSeparator + beside);
      boolean done =
          compiler
              .getTask(messages, files, null, options, null, files.getJavaFileObjects(file))
              .call();
      assertTrue(done, messages + "\n" + source);
    }
    return folder;
  }

  @Test
  void theServerOfTheDocumentationServes() throws Exception {
    Map<String, String> files = wholeFiles();
    Path classes = compile("Main.java", files.get("src/main/java/com/example/greeter/Main.java"));
    URL[] path = {classes.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(path)) {
      GreeterService service =
          (GreeterService)
              loader.loadClass("com.example.greeter.Main").getDeclaredConstructor().newInstance();
      try (Server server = Server.builder().port(0).add(service).start()) {
        HelloRequest request = HelloRequest.newBuilder().setName("World").build();
        assertEquals(
            "Hello World!", HelloCall.call(server.port(), GreeterService.HELLO, request).getText());
      }
    }
  }

  /** Commands behind a dollar sign print what stands below them. */
  @Test
  void commandsPrintWhatTheDocumentationShows() throws Exception {
    Map<String, String> files = wholeFiles();
    Path classes = compile("Main.java", files.get("src/main/java/com/example/greeter/Main.java"));
    URL[] path = {classes.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(path)) {
      GreeterService service =
          (GreeterService)
              loader.loadClass("com.example.greeter.Main").getDeclaredConstructor().newInstance();
      try (Server server = Server.builder().port(0).add(service).start()) {
        int commands = 0;
        for (MarkdownBlock block : MarkdownBlock.all("console")) {
          if (block.where().startsWith(TESTED_BY_ITS_MODULE)) {
            continue;
          }
          for (String step : block.text().substring(2).split("\n[$] ", -1)) {
            String[] parts = step.split("\n", 2);
            String command = parts[0].replace("50051", Integer.toString(server.port()));
            assertEquals(parts[1].strip(), output(command).strip(), block.where());
            commands++;
          }
        }
        assertTrue(commands > 3, "the documentation has more commands than that");
      }
    }
  }

  private static String output(String command) throws IOException {
    Process process = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }

  @Test
  void theObserverOfTheDocumentationCounts() throws Exception {
    Map<String, String> files = wholeFiles();
    Path classes =
        compile("Counts.java", files.get("src/main/java/com/example/greeter/Counts.java"));
    URL[] path = {classes.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(path)) {
      ServerObserver counts =
          (ServerObserver)
              loader.loadClass("com.example.greeter.Counts").getDeclaredConstructor().newInstance();
      // The interface alone: each of its methods is unimplemented.
      GreeterService service = new GreeterService() {};
      try (Server server = Server.builder().port(0).add(service).observe(counts).start()) {
        HelloRequest request = HelloRequest.getDefaultInstance();
        assertThrows(
            IOException.class, () -> HelloCall.call(server.port(), GreeterService.HELLO, request));
      }
      assertEquals("1 started, 1 failed", counts.toString());
    }
  }

  /** The files the documents show, which agree where several show the same. */
  private static Map<String, String> wholeFiles() throws Exception {
    Map<String, String> files = new HashMap<>();
    for (String language : List.of("java", "proto")) {
      for (MarkdownBlock block : MarkdownBlock.all(language)) {
        if (!block.file().isEmpty()) {
          String before = files.putIfAbsent(block.file(), block.text());
          assertTrue(before == null || before.equals(block.text()), block.where());
        }
      }
    }
    return files;
  }

  @Test
  void theServiceOfTheDocumentationIsTheOneTheseTestsUse() throws Exception {
    String added =
        MarkdownBlock.all("proto").stream()
            .filter(block -> block.file().isEmpty())
            .map(MarkdownBlock::text)
            .findFirst()
            .orElseThrow();
    String shown = wholeFiles().get(PROTO_FILE);
    int end = shown.indexOf(LAST_METHOD_SHOWN) + LAST_METHOD_SHOWN.length();
    assertEquals(
        Files.readString(Path.of("src/test/proto/greeter.proto")),
        shown.substring(0, end) + added + shown.substring(end));
  }

  @Test
  void xmlIsWellFormedAndNamesTheVersionsOfThisBuild() throws Exception {
    String build = Files.readString(Path.of("../pom.xml"));
    String plugin = "<artifactId>protobuf-maven-plugin</artifactId>";
    int start = build.indexOf("<version>", build.indexOf(plugin));
    String pluginVersion = build.substring(start, build.indexOf('\n', start));
    for (MarkdownBlock block : MarkdownBlock.all("xml")) {
      DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(block.text())));
      if (block.text().contains(plugin) && !block.file().equals("maven-3.9")) {
        assertTrue(block.text().contains(pluginVersion), block.where());
      }
      if (block.file().equals("pom.xml")) {
        String element = "<protobuf.version>";
        assertEquals(value(build, element), value(block.text(), element), block.where());
      }
    }
  }

  private static String value(String xml, String element) {
    int start = xml.indexOf(element) + element.length();
    return xml.substring(start, xml.indexOf('<', start));
  }
}
