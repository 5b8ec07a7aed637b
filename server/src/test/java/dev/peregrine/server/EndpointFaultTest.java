package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Endpoints that fail are named in the log, but not as often and not as long as clients like. */
@Timeout(60)
class EndpointFaultTest {

  private static final int TIMES = 300;

  private static Server start(HttpEndpoint endpoint) {
    return Server.builder()
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .loops(1)
        .onTerm(false)
        .httpFallback(endpoint)
        .start();
  }

  private static String pipelined(Server server, String path, int times) throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n";
    String all = (request + "\r\n").repeat(times - 1) + request + "Connection: close\r\n\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(all.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void aThousandFaultsAreAFewLines() throws IOException {
    HttpEndpoint failing =
        request -> {
          throw new IllegalStateException("always");
        };
    try (LogCapture log = new LogCapture();
        Server server = start(failing)) {
      String replies = pipelined(server, "/some%0apath/" + "x".repeat(1000), TIMES);
      assertEquals(TIMES, replies.split("HTTP/1.1 500 ", -1).length - 1);
      List<String> lines = log.texts();
      assertTrue(lines.size() >= 10 && lines.size() < 60, () -> lines.size() + " lines");
      assertTrue(lines.get(0).length() < 300, lines.get(0));
    }
  }

  // What follows on the same connection is served.
  @Test
  void anErrorEndsItsRequestAlone() throws IOException {
    HttpEndpoint failing =
        request -> {
          throw new StackOverflowError();
        };
    try (LogCapture log = new LogCapture();
        Server server = start(failing)) {
      String replies = pipelined(server, "/", 2);
      assertEquals(2, replies.split("HTTP/1.1 500 ", -1).length - 1, replies);
      assertEquals("the endpoint at / failed", log.texts().get(0));
    }
  }
}
