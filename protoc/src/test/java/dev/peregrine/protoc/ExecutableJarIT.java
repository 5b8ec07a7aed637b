package dev.peregrine.protoc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs what the build packaged, with the real protoc. */
class ExecutableJarIT {

  private static final Path TARGET = Path.of("target").toAbsolutePath();

  @TempDir Path directory;

  @Test
  void theSelfRunningJarIsAPluginForProtoc() throws Exception {
    check(TARGET.resolve("protoc-gen-peregrine"));
  }

  @Test
  void theJarIsExecutableByItself() throws Exception {
    Path script = directory.resolve("plugin");
    File[] jars =
        TARGET.toFile().listFiles((dir, name) -> name.matches("protoc-gen-peregrine-.*\\.jar"));
    assertEquals(1, jars.length);
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Files.writeString(script, "#!/bin/sh\nexec '%s' -jar '%s'\n".formatted(java, jars[0]));
    assertTrue(script.toFile().setExecutable(true));
    check(script);
  }

  private void check(Path plugin) throws Exception {
    Path out = Files.createDirectories(directory.resolve("out"));
    Protoc.Result result =
        Protoc.run(
            Protoc.PROTOS,
            List.of("--plugin=protoc-gen-peregrine=" + plugin, "--peregrine_out=" + out),
            List.of("golden/shapes.proto"));
    assertEquals(new Protoc.Result(0, ""), result);
    String file = "golden/integration/MeasurementService.java";
    assertEquals(
        Files.readString(Path.of("src/test/golden/java").resolve(file)),
        Files.readString(out.resolve(file)));
  }
}
