package dev.peregrine.protoc;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Any thread. The real protoc, of the version the build copied for the tests. */
final class Protoc {

  static final Path PROTOS = Path.of("src/test/golden/proto");

  private static final Path PROGRAM = Path.of("target/protoc/protoc.exe").toAbsolutePath();
  private static final Path WELL_KNOWN_TYPES = Path.of("target/protoc/include");

  private Protoc() {}

  /** What a run of protoc came to. */
  record Result(int exitCode, String output) {}

  /** Runs protoc on .proto files below a root, with arguments before them. */
  static Result run(Path root, List<String> arguments, List<String> protos)
      throws IOException, InterruptedException {
    PROGRAM.toFile().setExecutable(true);
    List<String> command = new ArrayList<>();
    command.add(PROGRAM.toString());
    command.add("-I" + root);
    command.add("-I" + WELL_KNOWN_TYPES);
    command.addAll(arguments);
    command.addAll(protos);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream output = process.getInputStream()) {
      String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
      return new Result(process.waitFor(), text);
    }
  }

  /** A program that runs the plugin from the classes of this build. */
  static Path plugin(Path directory) throws IOException {
    Path script = directory.resolve("protoc-gen-peregrine");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Files.writeString(
        script,
        "#!/bin/sh\nexec '%s' -Xshare:auto -cp '%s' %s \"$@\"\n"
            .formatted(
                java, System.getProperty("java.class.path"), ProtocGenPeregrine.class.getName()));
    script.toFile().setExecutable(true);
    return script;
  }

  /** The .proto files below a root, as protoc wants them named, sorted. */
  static List<String> protosBelow(Path root) throws IOException {
    return namesBelow(root, ".proto");
  }

  /** The files below a root whose names end in something, relative to it, sorted. */
  static List<String> namesBelow(Path root, String end) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(end))
          .map(file -> root.relativize(file).toString().replace('\\', '/'))
          .sorted()
          .toList();
    }
  }
}
