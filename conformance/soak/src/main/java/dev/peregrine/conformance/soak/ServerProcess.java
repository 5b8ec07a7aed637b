package dev.peregrine.conformance.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A {@link SoakServer} in a process of its own. One thread. */
final class ServerProcess implements AutoCloseable {

  private static final String HEAP = "-Xmx128m";
  private static final int STOP_SECONDS = 10;
  private static final String PORT = "port ";

  private final Process process;
  private final PrintStream commands;
  private final BufferedReader answers;
  private final int port;

  ServerProcess() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-cp",
                System.getProperty("java.class.path"),
                SoakServer.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    // A JVM may say something first, e.g. of flags it was given by its environment.
    String line = line();
    while (!line.startsWith(PORT)) {
      line = line();
    }
    port = Integer.parseInt(line.substring(PORT.length()));
  }

  private String line() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("the server has ended");
    }
    return line;
  }

  int port() {
    return port;
  }

  ServerState state() throws IOException {
    commands.println("state");
    return ServerState.of(line());
  }

  /** Waits until nothing is open, at most for some seconds. */
  ServerState idle(int seconds) throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + seconds * 1_000_000_000L;
    ServerState state = state();
    while (!state.isIdle() && System.nanoTime() - endNanos < 0) {
      Thread.sleep(100);
      state = state();
    }
    return state;
  }

  /** How many live objects there are of each class of Peregrine's. */
  Map<String, Long> liveObjects() throws IOException {
    commands.println("histogram");
    Map<String, Long> objects = new TreeMap<>();
    String line = line();
    while (!line.isEmpty()) {
      int space = line.indexOf(' ');
      objects.put(line.substring(0, space), Long.parseLong(line.substring(space + 1)));
      line = line();
    }
    return objects;
  }

  /** Resident memory, of Linux. */
  long rssBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
      }
    }
    throw new IOException("no VmRSS");
  }

  /** Has the server end, and says whether it did. */
  boolean stop() throws InterruptedException {
    commands.close();
    return process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
