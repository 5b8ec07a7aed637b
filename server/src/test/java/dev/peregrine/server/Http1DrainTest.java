package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a client of HTTP/1.1 may rely on when the server ends. */
class Http1DrainTest {

  private static final int CLIENTS = 8;
  private static final int REQUESTS_BEFORE = 100;
  private static final int TIMEOUT_SECONDS = 30;

  private static final byte[] GET =
      "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  @Test
  void everyRequestOfABusyClientIsAnsweredAndTheLastResponseSaysSo() throws Exception {
    HttpResponse healthy = HttpResponse.text(200, "healthy\n");
    CountDownLatch warm = new CountDownLatch(CLIENTS);
    try (Server server =
        Server.builder()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .loops(2)
            .onTerm(false)
            .http("/healthz", request -> healthy)
            .start()) {
      List<CompletableFuture<Integer>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(
            CompletableFuture.supplyAsync(
                () -> getUntilClosed(server.port(), warm),
                task -> new Thread(task, "client").start()));
      }
      assertTrue(warm.await(TIMEOUT_SECONDS, TimeUnit.SECONDS));
      server.stop(Duration.ofSeconds(TIMEOUT_SECONDS));
      for (CompletableFuture<Integer> client : clients) {
        assertTrue(client.get(TIMEOUT_SECONDS, TimeUnit.SECONDS) >= REQUESTS_BEFORE);
      }
    }
  }

  /** Asks again and again until a response says that it is the last; returns how many came. */
  private static int getUntilClosed(int port, CountDownLatch warm) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(TIMEOUT_SECONDS * 1000);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      int answered = 0;
      boolean last = false;
      while (!last) {
        socket.getOutputStream().write(GET);
        last = readHead(in).contains("\r\nconnection: close\r\n");
        assertEquals("healthy\n", new String(in.readNBytes(8), StandardCharsets.US_ASCII));
        if (++answered == REQUESTS_BEFORE) {
          warm.countDown();
        }
      }
      assertEquals(-1, in.read());
      return answered;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String readHead(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int c = in.read();
      if (c < 0) {
        throw new AssertionError("closed instead of an answer, after: " + head);
      }
      head.append((char) c);
    }
    return head.toString();
  }
}
