package dev.peregrine.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The programs as a user starts them: exit codes, and what they print. */
class CommandLineTest {

  private record Result(int exitCode, String output) {}

  private static Result run(Class<?> program, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Result(process.waitFor(), output);
  }

  @Test
  void anUnknownFlagIsOneSentenceAndExitCodeTwo() throws Exception {
    assertEquals(
        new Result(2, "unknown flag --prot; try --help\n"), run(HelloWorld.class, "--prot", "1"));
  }

  @Test
  void aTakenPortIsOneSentenceAndExitCodeOne() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      String port = Integer.toString(taken.getLocalPort());
      Result result = run(HelloWorld.class, "--port", port);
      assertEquals(1, result.exitCode(), result.output());
      assertEquals(1, result.output().lines().count(), result.output());
      assertTrue(result.output().contains(port), result.output());
    }
  }

  @Test
  void helpIsPrintedAndNothingIsServed() throws Exception {
    assertEquals(new Result(0, HelloOptions.USAGE), run(HelloWorld.class, "--help"));
  }

  @Test
  void firstCallOnceServesCallsPrintsTheReplyAndEnds() throws Exception {
    Result result = run(FirstCall.class, "--once", "--port", "0");
    assertEquals(0, result.exitCode(), result.output());
    assertTrue(result.output().startsWith("Serving gRPC on http://localhost:"), result.output());
    assertTrue(result.output().contains("\"Hello World!\", grpc-status 0"), result.output());
    assertEquals(2, result.output().lines().count(), result.output());
  }
}
