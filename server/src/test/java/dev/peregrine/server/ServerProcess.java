package dev.peregrine.server;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.ServerLifecycle;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, for what cannot be tried on the JVM that runs the tests. */
final class ServerProcess implements AutoCloseable {

  private static final int TIMEOUT_SECONDS = 30;

  /** Variable of the environment that tells the server where to listen. */
  static final String LISTEN = "PEREGRINE_TEST_LISTEN";

  /** Its value for the standard input. */
  static final String INHERITED = "inherited";

  final Process process;
  final int port;
  private final BufferedReader lines;

  /**
   * Starts one.
   *
   * @param shell run before the JVM by the same shell, e.g. a ulimit
   */
  ServerProcess(String shell) throws IOException {
    this(shell, 0);
  }

  /** The same with a delay before it drains. */
  ServerProcess(String shell, long drainDelayMillis) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    process =
        new ProcessBuilder(
                "sh",
                "-c",
                shell + "; exec \"$0\" \"$@\"",
                java,
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "-DdrainDelay=" + drainDelayMillis,
                ServerProcess.class.getName())
            .redirectErrorStream(true)
            .start();
    lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    port = Integer.parseInt(lines.readLine());
  }

  /** Reads its output and log up to a line that contains a text. */
  void awaitLine(String text) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.contains(text)) {
      line = lines.readLine();
    }
    if (line == null) {
      throw new AssertionError("the server ended without saying \"" + text + "\"");
    }
  }

  /** Waits for its end and returns the exit code. */
  int exitCode() throws InterruptedException {
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the server does not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** Says when the server was told to stop. */
  private static final class Told implements HttpEndpoint, ServerLifecycle {
    @Override
    public HttpResponse handle(HttpRequest request) {
      return HttpResponse.text(200, "");
    }

    @Override
    public void onDrain() {
      System.out.println("told to stop");
    }
  }

  /** The server: "park" is answered once another call, "release", was made. */
  public static void main(String[] args) throws InterruptedException {
    CountDownLatch released = new CountDownLatch(1);
    EchoService service =
        new EchoService(
            (request, context) -> {
              if (request.equals("park")) {
                System.out.println("parked");
                released.await();
              } else if (request.equals("release")) {
                released.countDown();
              }
              return request;
            });
    ListenSocket socket =
        INHERITED.equals(System.getenv(LISTEN))
            ? ListenSocket.inherited()
            : ListenSocket.address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Server server =
        Server.builder()
            .listen(socket)
            .grace(Duration.ofSeconds(TIMEOUT_SECONDS))
            .drainDelay(Duration.ofMillis(Long.getLong("drainDelay", 0)))
            .http("/told", new Told())
            .add(service, Execution.workers(2))
            .start();
    System.out.println(server.port());
    Log.info("ready"); // loads what the logger needs
    server.awaitTermination();
    System.out.println("terminated");
  }
}
