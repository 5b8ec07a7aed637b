package dev.peregrine.protoc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Any thread. The compiler of the JDK that runs the tests. */
final class Javac {

  /** Every warning is an error, those about Javadoc included; absent Javadoc is allowed. */
  static final List<String> STRICT =
      List.of("-Xlint:all", "-Xdoclint:all,-missing", "-Werror", "-proc:none");

  private Javac() {}

  /**
   * Compiles all sources below a root, and fails with what the compiler says.
   *
   * @return what the compiler says if it does not fail
   */
  static String compile(Path sources, Path classes, List<String> options) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      List<Path> paths =
          Protoc.namesBelow(sources, ".java").stream().map(sources::resolve).toList();
      Iterable<? extends JavaFileObject> units = files.getJavaFileObjectsFromPaths(paths);
      List<String> all = new ArrayList<>(options);
      all.addAll(List.of("--release", "17", "-d", classes.toString(), "-cp"));
      all.add(classes + File.pathSeparator + System.getProperty("java.class.path"));
      boolean done = compiler.getTask(messages, files, null, all, null, units).call();
      assertTrue(done, messages.toString());
      return messages.toString();
    }
  }
}
