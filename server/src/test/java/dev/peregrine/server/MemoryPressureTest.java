package dev.peregrine.server;

import static dev.peregrine.server.ScarceMemory.status;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limit;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is made to pay when memory is scarce, and who is not: over real sockets. */
@Timeout(60)
class MemoryPressureTest {

  /** Fits beside nothing of its size. */
  private static final int LARGE_BYTES = 900_000;

  private static final int FRAME_BYTES = 16_384;

  /** SETTINGS_INITIAL_WINDOW_SIZE = 0: the server may send no content at all. */
  private static final byte[] NO_WINDOW = {0, 4, 0, 0, 0, 0};

  private final Semaphore begun = new Semaphore(0);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final EchoService slow =
      new EchoService(
          (request, context) -> {
            begun.release();
            while (mayEnd.getCount() > 0) {
              try {
                mayEnd.await();
              } catch (InterruptedException e) {
                // A handler that does not listen to its end.
              }
            }
            return request;
          });
  private final Server server =
      ScarceMemory.server()
          .add(slow, Execution.workers(1))
          .http("/blob", request -> HttpResponse.text(200, "b".repeat(50_000)))
          .start();

  @AfterEach
  void stop() {
    mayEnd.countDown();
    server.close();
  }

  private Socket send(int bytes) throws IOException {
    return ScarceMemory.send(server, "r", bytes);
  }

  /** A client that has sent a whole request over HTTP/2, whose end is noticed at once. */
  private RawClient upload(int bytes) throws IOException {
    RawClient client = new RawClient(server.port()).open();
    client.head(1, "POST", EchoService.PATH, "application/grpc", false).flush();
    byte[] content = ByteBuffer.allocate(5 + bytes).put((byte) 0).putInt(bytes).array();
    int at = 0;
    while (at < content.length) {
      int length = Math.min(FRAME_BYTES, content.length - at);
      byte[] part = Arrays.copyOfRange(content, at, at + length);
      at += length;
      client
          .frame(RawClient.DATA, at == content.length ? RawClient.END_STREAM : 0, 1, part)
          .flush();
    }
    return client;
  }

  private void awaitQueued(LongPredicate expected) throws InterruptedException {
    while (!expected.test(server.counts().queuedBytes())) {
      Thread.sleep(5); // it is polled; the test's own limit of time applies
    }
  }

  @Test
  void requestsWithSlowHandlersAreNoReasonToCloseTheirConnections() throws Exception {
    List<RawClient> unread = new ArrayList<>();
    try (Socket innocent = send(60_000)) {
      begun.acquire();
      for (int i = 0; i < 24; i++) {
        RawClient client = new RawClient(server.port()).open();
        client.frame(RawClient.SETTINGS, 0, 0, NO_WINDOW);
        client.head(1, "GET", "/blob", null, true).flush();
        unread.add(client);
      }
      // The innocent one holds most, and its bytes have not moved either.
      while (server.counts().limits().get(Limit.QUEUED_BYTES) == 0) {
        Thread.sleep(5); // it is polled; the test's own limit of time applies
      }
      mayEnd.countDown();
      assertEquals(200, status(innocent));
    } finally {
      for (RawClient client : unread) {
        client.close();
      }
    }
  }

  @Test
  void requestsOfClientsThatHaveGoneDoNotWaitForTheirThread() throws Exception {
    try (Socket first = send(10)) {
      begun.acquire();
      long usedBytes = usedBytes();
      for (int i = 0; i < 40; i++) {
        RawClient gone = upload(LARGE_BYTES);
        awaitQueued(bytes -> bytes > LARGE_BYTES / 2);
        gone.close();
        awaitQueued(bytes -> bytes < LARGE_BYTES / 10);
      }
      long keptBytes = usedBytes() - usedBytes;
      assertTrue(keptBytes < 10 * LARGE_BYTES, keptBytes + " bytes are kept");
      try (Socket last = send(LARGE_BYTES)) {
        awaitQueued(bytes -> bytes > LARGE_BYTES / 2);
        mayEnd.countDown();
        assertEquals(200, status(first));
        assertEquals(200, status(last));
      }
    }
  }

  private static long usedBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  void requestsWithHandlersThatDoNotReturnCountWhenTheirClientsHaveGone() throws Exception {
    RawClient gone = upload(LARGE_BYTES);
    begun.acquire();
    gone.close();
    while (server.counts().connections() > 0) {
      Thread.sleep(5); // it is polled; the test's own limit of time applies
    }
    try (Socket refused = send(LARGE_BYTES)) {
      assertEquals(429, status(refused));
    }
    mayEnd.countDown();
    awaitQueued(bytes -> bytes < LARGE_BYTES / 2);
    try (Socket served = send(LARGE_BYTES)) {
      assertEquals(200, status(served));
    }
  }
}
