package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pitfall P106: a handler that waits must not hold the thread that carries it. */
class VirtualThreadsTest {

  private static final int CALLS = 10_000;
  private static final int CALLS_PER_CONNECTION = 500;
  private static final int WAIT_SECONDS = 60;

  /**
   * Until JDK 24 a virtual thread that waits inside {@code synchronized} pins its carrier. The call
   * layer and the server run handlers, so they have none of it at all.
   */
  @Test
  void noMonitorIsUsedWhereHandlersRun() throws IOException {
    for (String module : List.of("rpc", "server")) {
      Path sources = Path.of("..", module, "src", "main", "java");
      List<String> found = new ArrayList<>();
      try (Stream<Path> files = Files.walk(sources)) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .filter(file -> text(file).matches("(?s).*\\n\\s*[a-z ]*\\bsynchronized\\b[ (].*"))
            .forEach(file -> found.add(file.toString()));
      }
      assertTrue(Files.isDirectory(sources), sources::toString);
      assertEquals(List.of(), found);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All of them wait at the same time, on a machine of a few cores; then all are answered. */
  @Test
  void tenThousandHandlersWaitWithoutPinningAThread(@TempDir Path directory) throws Exception {
    assumeTrue(Execution.virtualThreadsAvailable(), "needs a JVM with virtual threads");
    CountDownLatch waiting = new CountDownLatch(CALLS);
    CountDownLatch goOn = new CountDownLatch(1);
    EchoService service =
        new EchoService(
            (request, context) -> {
              waiting.countDown();
              goOn.await();
              return request;
            });
    Path file = directory.resolve("pinned.jfr");
    List<RawClient> clients = new ArrayList<>();
    try (Recording recording = new Recording();
        Server server = start(service)) {
      recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO);
      recording.start();
      for (int i = 0; i < CALLS / CALLS_PER_CONNECTION; i++) {
        RawClient client = new RawClient(server.port()).open();
        clients.add(client);
        for (int j = 0; j < CALLS_PER_CONNECTION; j++) {
          client.call(1 + 2 * j, EchoService.PATH, "call " + j);
        }
        client.flush();
      }
      assertTrue(waiting.await(WAIT_SECONDS, TimeUnit.SECONDS), () -> waiting + " never ran");
      goOn.countDown();
      for (RawClient client : clients) {
        for (int j = 0; j < CALLS_PER_CONNECTION; j++) {
          assertEquals("call " + j, client.response(1 + 2 * j).message());
        }
        client.close();
      }
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> ours =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
            .filter(event -> event.toString().contains("dev.peregrine"))
            .toList();
    assertEquals(List.of(), ours);
  }

  private static Server start(EchoService service) {
    return Server.builder()
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .onTerm(false)
        .limits(Limits.DEFAULTS.withMaxCalls(2 * CALLS))
        .add(service, Execution.virtualThreads().withQueue(2 * CALLS))
        .start();
  }
}
