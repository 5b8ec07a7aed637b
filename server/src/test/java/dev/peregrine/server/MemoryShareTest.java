package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.ServiceDefinition;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One client whose requests wait for slow handlers does not take the memory of all others. */
@Timeout(60)
class MemoryShareTest {

  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Server server =
      ScarceMemory.server().add(this::service, Execution.on(threads)).start();
  private RawClient greedy;

  /** Texts that begin with q are answered at once, others wait, and streams are not read. */
  private ServiceDefinition service() {
    return ServiceDefinition.of("echo.Echo")
        .unary(
            EchoService.UNARY,
            (request, context) -> {
              if (!request.startsWith("q")) {
                mayEnd.await();
              }
              return request;
            })
        .bidiStreaming(EchoService.BIDI, (requests, responses, context) -> mayEnd.await());
  }

  @BeforeEach
  void connect() throws IOException {
    greedy = new RawClient(server.port()).open();
    greedy.call(1, EchoService.PATH, "q").flush();
    assertEquals("q", greedy.response(1).message());
  }

  @AfterEach
  void stop() throws IOException {
    mayEnd.countDown();
    greedy.close();
    server.close();
    threads.shutdown();
  }

  /** The status of another client's call. */
  private int call(int bytes) throws IOException {
    try (Socket socket = ScarceMemory.send(server, "q", bytes)) {
      return ScarceMemory.status(socket);
    }
  }

  private static byte[] message(int bytes) {
    return ByteBuffer.allocate(5 + bytes).put((byte) 0).putInt(bytes).array();
  }

  private void awaitLimit() throws InterruptedException {
    while (server.counts().limits().get(Limit.QUEUED_BYTES) == 0) {
      Thread.sleep(5); // it is polled; the test's own limit of time applies
    }
  }

  @Test
  void streamsThatNobodyReadsEndWithTheirConnectionBeforeMemoryIsFull() throws Exception {
    for (int id = 3; id < 17; id += 2) {
      greedy.head(id, "POST", "/echo.Echo/Bidi", "application/grpc", false);
    }
    greedy.flush();
    assertThrows(IOException.class, this::fillStreamsUntilReset);
    awaitLimit();
    assertEquals(200, call(2_000));
  }

  private void fillStreamsUntilReset() throws IOException {
    for (int id = 3; id < 17; id += 2) {
      for (int i = 0; i < 16; i++) {
        greedy.frame(RawClient.DATA, 0, id, message(16_000)).flush();
      }
    }
    while (greedy.read() != null) {
      // until it is reset
    }
  }

  @Test
  void requestsOfOneConnectionLeaveRoomForThoseOfOthers() throws Exception {
    int calls = 99;
    for (int call = 0; call < calls; call++) {
      greedy.head(3 + 2 * call, "POST", EchoService.PATH, "application/grpc", false);
    }
    greedy.flush();
    for (int call = 0; call < calls; call++) {
      greedy.frame(RawClient.DATA, RawClient.END_STREAM, 3 + 2 * call, message(15_800)).flush();
    }
    awaitLimit();
    assertEquals(200, call(15_900));
  }
}
