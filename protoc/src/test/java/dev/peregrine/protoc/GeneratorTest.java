package dev.peregrine.protoc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the plugin says through protoc when it cannot generate, and when it is asked again. */
class GeneratorTest {

  @TempDir Path directory;

  private Protoc.Result run(String options, String... protos) throws Exception {
    Path out = Files.createDirectories(directory.resolve("out"));
    return Protoc.run(
        directory,
        List.of(
            "--plugin=protoc-gen-peregrine=" + Protoc.plugin(directory),
            "--peregrine_out=" + options + out),
        List.of(protos));
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }

  @Test
  void anUnknownParameterIsAnError() throws Exception {
    write("a.proto", "syntax = \"proto3\"; package a;");
    Protoc.Result result = run("lite:", "a.proto");
    assertNotEquals(0, result.exitCode());
    assertTrue(
        result.output().contains("unknown parameter \"lite\": there is no_comments, and no other"),
        result.output());
  }

  @Test
  void aMessageOfTheUnnamedPackageCannotBeNamedFromAnother() throws Exception {
    write("m.proto", "syntax = \"proto3\"; option java_multiple_files = true; message M {}");
    write(
        "a.proto",
        "syntax = \"proto3\"; package a; import \"m.proto\";"
            + " service S { rpc Call(M) returns (M); }");
    Protoc.Result result = run("", "a.proto");
    assertNotEquals(0, result.exitCode());
    assertTrue(result.output().contains("M has no Java package, so a cannot name it"));
  }

  @Test
  void aFileWithoutServicesGeneratesNothing() throws Exception {
    write("a.proto", "syntax = \"proto3\"; package a; message M { optional int32 i = 1; }");
    assertEquals(new Protoc.Result(0, ""), run("", "a.proto"));
    assertEquals(List.of(), Protoc.namesBelow(directory.resolve("out"), ".java"));
  }

  @Test
  void withoutCommentsNoClassHoldsThem() throws Exception {
    write("a.proto", "syntax = \"proto3\"; package a;\n// A comment.\nservice S {}");
    assertEquals(new Protoc.Result(0, ""), run("no_comments:", "a.proto"));
    assertEquals(List.of("a/SService.java"), Protoc.namesBelow(directory.resolve("out"), ".java"));
    assertEquals(new Protoc.Result(0, ""), run("", "a.proto"));
    assertEquals(
        List.of("a/SService.java", "a/SServiceComments.java"),
        Protoc.namesBelow(directory.resolve("out"), ".java"));
  }

  @Test
  void aClassOfCommentsStaysWithinTheLimitsOfClassFiles() throws Exception {
    StringBuilder proto = new StringBuilder("syntax = \"proto3\"; package a;\n// ");
    proto
        .append("\\ufor \"ever\" ".repeat(10_000))
        .append("\nservice S { rpc Call(M) returns (M); }");
    proto.append("\nmessage M {");
    for (int i = 1; i <= 5000; i++) {
      proto.append("\n  // The field ").append(i).append(".\n");
      proto.append("  int32 f").append(i).append(" = ").append(i).append(';');
    }
    write("a.proto", proto.append("\n}\n").toString());
    assertEquals(new Protoc.Result(0, ""), run("", "a.proto"));
    Path comments = directory.resolve("out/a/SServiceComments.java");
    Path alone = Files.createDirectories(directory.resolve("alone/a"));
    Files.copy(comments, alone.resolve("SServiceComments.java"));
    Path classes = Files.createDirectories(directory.resolve("classes"));
    assertEquals("", Javac.compile(alone, classes, Javac.STRICT));
  }

  @Test
  void theOrderOfTheFilesDoesNotMatter() throws Exception {
    write("a.proto", "syntax = \"proto3\"; package p; message A {} service X {}");
    write("b.proto", "syntax = \"proto3\"; package p; message B {} service XService {}");
    assertEquals(0, run("", "a.proto", "b.proto").exitCode());
    List<String> first = Protoc.namesBelow(directory.resolve("out"), ".java");
    assertEquals(0, run("", "b.proto", "a.proto").exitCode());
    assertEquals(List.of("p/XRpc.java", "p/XService.java"), first);
    assertEquals(first, Protoc.namesBelow(directory.resolve("out"), ".java"));
  }

  @Test
  void startedByHandItSaysWhoStartsIt() throws Exception {
    Process process =
        new ProcessBuilder(Protoc.plugin(directory).toString(), "--help")
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(2, process.waitFor());
    assertTrue(output.contains("is started by protoc"), output);
  }

  @Test
  void bytesThatAreNoRequestAreAnErrorWithoutAStackTrace() throws Exception {
    Process process =
        new ProcessBuilder(Protoc.plugin(directory).toString()).redirectErrorStream(true).start();
    process.getOutputStream().write("no protobuf".getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(1, process.waitFor());
    assertTrue(output.startsWith("protoc-gen-peregrine: no CodeGeneratorRequest"), output);
    assertEquals(1, output.lines().count(), output);
  }
}
