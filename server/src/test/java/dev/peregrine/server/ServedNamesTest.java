package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServiceDefinition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Places of one server where different things can be had. */
@Timeout(60)
class ServedNamesTest {

  private static final int TIMEOUT_MILLIS = 20_000;

  private static ListenSocket loopback() {
    return ListenSocket.address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private static ServerBuilder builder(ListenSocket... sockets) {
    ServerBuilder builder =
        Server.builder()
            .onTerm(false)
            .grace(Duration.ofSeconds(5))
            .add(new EchoService(), Execution.inline())
            .add(
                () ->
                    ServiceDefinition.of("admin.Echo")
                        .unary(
                            Method.of(
                                "admin.Echo/Unary",
                                Method.Kind.UNARY,
                                EchoService.TEXT,
                                EchoService.TEXT),
                            (request, context) -> "admin " + request),
                Execution.inline())
            .http("/", request -> HttpResponse.text(200, "front page"))
            .http("/metrics", request -> HttpResponse.text(200, "metrics"))
            .httpFallback(request -> HttpResponse.text(200, "fallback"));
    for (ListenSocket socket : sockets) {
      builder.listen(socket);
    }
    return builder;
  }

  @ParameterizedTest
  @CsvSource({
    // path, by the public port, by the operators' port
    "/, 200 front page, 404",
    "/metrics, 200 fallback, 200 metrics",
    "/metrics?x=1, 200 fallback, 200 metrics",
    "/anything, 200 fallback, 404",
  })
  void endpointsAreHadWhereTheyAreServed(String path, String atPublic, String atOperators)
      throws Exception {
    try (Server server = start()) {
      assertEquals(atPublic, get(server.addresses().get(0).getPort(), path));
      assertEquals(atOperators, get(server.addresses().get(1).getPort(), path));
    }
  }

  private static Server start() {
    return builder(
            loopback().without("/metrics", "admin.Echo"),
            loopback().withOnly("/metrics", "admin.Echo"))
        .start();
  }

  @Test
  void callsAreHadWhereTheyAreServed() throws Exception {
    try (Server server = start();
        RawClient open = new RawClient(server.addresses().get(0).getPort());
        RawClient operators = new RawClient(server.addresses().get(1).getPort())) {
      // Twice each: the second time the header block is known.
      open.open();
      operators.open();
      for (int i = 0; i < 2; i++) {
        int streamId = 1 + 4 * i;
        open.call(streamId, EchoService.PATH, "x");
        open.head(streamId + 2, "POST", "/admin.Echo/Unary", "application/grpc", true).flush();
        assertEquals("x", open.response(streamId).message());
        assertEquals("12", open.response(streamId + 2).grpcStatus());
        operators.head(streamId, "POST", EchoService.PATH, "application/grpc", true);
        operators.call(streamId + 2, "/admin.Echo/Unary", "x").flush();
        assertEquals("12", operators.response(streamId).grpcStatus());
        assertEquals("admin x", operators.response(streamId + 2).message());
      }
    }
  }

  @Test
  void aPlaceWithoutNamesHasEverything() throws Exception {
    try (Server server = builder(loopback(), loopback().withOnly("/metrics")).start()) {
      int port = server.addresses().get(0).getPort();
      assertEquals("200 metrics", get(port, "/metrics"));
      assertEquals("200 fallback", get(port, "/anything"));
      assertEquals("404", get(server.addresses().get(1).getPort(), "/anything"));
    }
  }

  @Test
  void aMisspeltNameIsRefused() {
    ServerBuilder builder = builder(loopback().without("/metric"));
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, builder::start);
    assertTrue(e.getMessage().contains("\"/metric\""), e::toString);
  }

  /** Status and body, without the body unless it is 200. */
  private static String get(int port, String path) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      String text = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      String reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      String status = reply.substring(9, 12);
      return status.equals("200")
          ? status + " " + reply.substring(reply.indexOf("\r\n\r\n") + 4)
          : status;
    }
  }
}
