package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.PeerLimit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each limit bites, is counted, and is named in one line of the log: over real sockets. */
@Timeout(60)
class LimitsTest {

  private static final Duration SHORT = Duration.ofMillis(300);

  private final List<String> lines = new ArrayList<>();

  private static ServerBuilder builder(ConnectionLimits limits) {
    return Server.builder()
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .add(new EchoService(), Execution.inline())
        .connectionLimits(limits)
        .loops(1)
        .onTerm(false);
  }

  private static Socket connect(Server server) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private void assertBit(Server server, LogCapture log, Limit limit) {
    assertTrue(server.counts().limits().get(limit) >= 1, limit + " was not counted");
    lines.addAll(log.texts().stream().filter(line -> line.contains("limit " + limit)).toList());
    assertEquals(1, lines.size(), () -> String.join("\n", log.texts()));
  }

  @ParameterizedTest
  @EnumSource(PeerLimit.class)
  void limitsOfEnginesAreKnownToTheCallLayerByTheSameName(PeerLimit limit) {
    assertEquals(limit.name(), Limit.valueOf(limit.name()).name());
  }

  @Test
  void silentPeersAreClosed() throws Exception {
    try (LogCapture log = new LogCapture();
        Server server = builder(ConnectionLimits.DEFAULTS.withOpeningTime(SHORT)).start();
        Socket socket = connect(server)) {
      assertEquals(-1, socket.getInputStream().read());
      assertBit(server, log, Limit.OPENING_TIME);
    }
  }

  @Test
  void slowHeaderSectionsAreAnsweredAndClosed() throws Exception {
    try (LogCapture log = new LogCapture();
        Server server = builder(ConnectionLimits.DEFAULTS.withHeaderTime(SHORT)).start();
        Socket socket = connect(server)) {
      write(socket, "GET / HTTP/1.1\r\nhost: ");
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertTrue(answer.startsWith("HTTP/1.1 408 "), answer);
      assertBit(server, log, Limit.HEADER_TIME);
    }
  }

  @Test
  void lastRequestOverHttp1SaysSo() throws Exception {
    try (LogCapture log = new LogCapture();
        Server server = builder(ConnectionLimits.DEFAULTS.withMaxRequests(2)).start();
        Socket socket = connect(server)) {
      write(socket, "GET /a HTTP/1.1\r\nhost: a\r\n\r\n".repeat(3));
      String answers =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertEquals(3, answers.split("HTTP/1.1 404 ", -1).length, answers);
      assertEquals(2, answers.split("connection: close", -1).length, answers);
      assertBit(server, log, Limit.CONNECTION_REQUESTS);
    }
  }

  @Test
  void lastRequestOverHttp2DrainsTheConnection() throws Exception {
    try (LogCapture log = new LogCapture();
        Server server = builder(ConnectionLimits.DEFAULTS.withMaxRequests(2)).start();
        RawClient client = new RawClient(server.port())) {
      client.open().call(1, EchoService.PATH, "a").call(3, EchoService.PATH, "b").flush();
      assertEquals("a", client.response(1).message());
      assertEquals("b", client.response(3).message());
      assertTrue(client.closedAfterGoAway());
      assertBit(server, log, Limit.CONNECTION_REQUESTS);
    }
  }

  @Test
  void unreadRepliesEndTheConnectionInTime() throws Exception {
    try (LogCapture log = new LogCapture();
        Server server = builder(ConnectionLimits.DEFAULTS.withUnreadTime(SHORT)).start();
        RawClient client = new RawClient(server.port())) {
      client.open().frame(RawClient.SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 0});
      client.call(1, EchoService.PATH, "unread").flush();
      assertTrue(client.closedAfterGoAway());
      assertBit(server, log, Limit.UNREAD_TIME);
    }
  }

  @Test
  void floodIsNamedByItsLimit() throws Exception {
    try (LogCapture log = new LogCapture();
        Server server = builder(ConnectionLimits.DEFAULTS.withStreamResets(5, 1)).start();
        RawClient client = new RawClient(server.port())) {
      client.open();
      for (int streamId = 1; streamId < 100; streamId += 2) {
        client
            .head(streamId, "POST", EchoService.PATH, "application/grpc", false)
            .frame(RawClient.RST_STREAM, 0, streamId, new byte[] {0, 0, 0, 8});
      }
      assertTrue(client.flush().closedAfterGoAway());
      assertBit(server, log, Limit.STREAM_RESETS);
    }
  }

  @Test
  void oldestOfTooManyHandshakesIsGivenUp(@TempDir Path folder) throws Exception {
    TestCertificates.Made made = new TestCertificates(folder).make("ec", "EC", "dns:localhost");
    Tls tls = Tls.pkcs12(made.store(), TestCertificates.PASSWORD);
    try (LogCapture log = new LogCapture();
        Server server = builder(ConnectionLimits.DEFAULTS.withMaxHandshakes(2)).tls(tls).start();
        Socket first = connect(server);
        Socket second = connect(server)) {
      while (server.counts().handshakes() < 2) {
        Thread.onSpinWait();
      }
      try (Socket third = connect(server)) {
        assertEquals(-1, first.getInputStream().read());
        assertEquals(2, server.counts().handshakes());
        assertTrue(second.isConnected() && third.isConnected());
        assertBit(server, log, Limit.HANDSHAKES);
      }
    }
  }

  @Test
  void slowHandshakesAreClosed(@TempDir Path folder) throws Exception {
    TestCertificates.Made made = new TestCertificates(folder).make("ec", "EC", "dns:localhost");
    Tls tls = Tls.pkcs12(made.store(), TestCertificates.PASSWORD);
    try (LogCapture log = new LogCapture();
        Server server =
            builder(ConnectionLimits.DEFAULTS.withHandshakeTime(SHORT)).tls(tls).start();
        Socket socket = connect(server)) {
      assertEquals(-1, socket.getInputStream().read());
      assertBit(server, log, Limit.HANDSHAKE_TIME);
    }
  }

  // Such a peer may be told, and be heard to the end of what it sends, but holds nobody up.
  @Test
  void handshakesThatHaveFailedAreNotInProgress(@TempDir Path folder) throws Exception {
    TestCertificates.Made made = new TestCertificates(folder).make("ec", "EC", "dns:localhost");
    try (Server server =
            builder(ConnectionLimits.DEFAULTS)
                .tls(Tls.pkcs12(made.store(), TestCertificates.PASSWORD))
                .start();
        Socket socket = connect(server)) {
      byte[] noHandshake = {22, 3, 1, 0, 4, 99, 0, 0, 0};
      socket.getOutputStream().write(noHandshake);
      assertEquals(21, socket.getInputStream().read(), "an alert");
      while (server.counts().handshakes() > 0) {
        socket.getOutputStream().write(0);
        Thread.sleep(20); // not to fill the socket; the test's own limit of time applies
      }
      assertEquals(1, server.counts().connections());
    }
  }

  @Test
  void countsTellOfConnectionsCallsAndRefusals() throws Exception {
    try (LogCapture log = new LogCapture();
        Server server = builder(ConnectionLimits.DEFAULTS.withMaxConnections(1)).start();
        RawClient client = new RawClient(server.port())) {
      client.open().head(1, "POST", EchoService.PATH, "application/grpc", false).flush();
      while (server.counts().calls() < 1) {
        Thread.onSpinWait();
      }
      try (Socket refused = connect(server)) {
        assertEquals(-1, refused.getInputStream().read());
      }
      ServerCounts counts = server.counts();
      assertEquals(1, counts.connections());
      assertEquals(1, counts.acceptedConnections());
      assertEquals(1, counts.refusedConnections());
      assertEquals(0, counts.handshakes());
      assertBit(server, log, Limit.CONNECTIONS);
    }
  }

  @Test
  void tooLargeContentIsRefusedBeforeItsClientIsToldToGoOn() throws Exception {
    try (Server server = builder(ConnectionLimits.DEFAULTS).start();
        Socket socket = connect(server)) {
      write(
          socket,
          "POST "
              + EchoService.PATH
              + " HTTP/1.1\r\nhost: a\r\ncontent-type: application/proto\r\n"
              + "content-length: 100000000\r\nexpect: 100-continue\r\n\r\n");
      byte[] start = socket.getInputStream().readNBytes(16);
      assertEquals("HTTP/1.1 429 Too", new String(start, StandardCharsets.US_ASCII));
      assertEquals(1, server.counts().limits().get(Limit.REQUEST_BYTES));
    }
  }

  // The 64th call of a burst is handed over before the burst is over.
  @Test
  void eventDrivenCallsThatJustCameHaveNotWaitedForAThread() throws Exception {
    Method<String, String> list =
        Method.of(
            "echo.List/All", Method.Kind.SERVER_STREAMING, EchoService.TEXT, EchoService.TEXT);
    Service lists =
        () ->
            ServiceDefinition.of("echo.List")
                .eventDriven(
                    list,
                    call ->
                        request -> {
                          call.send(request);
                          call.close(Status.OK);
                        });
    try (Server server =
            builder(ConnectionLimits.DEFAULTS)
                .add(lists, Execution.on(Runnable::run))
                .limits(Limits.DEFAULTS.withMaxQueueWait(Duration.ofSeconds(5)))
                .start();
        RawClient client = new RawClient(server.port()).open()) {
      for (int i = 0; i < 64; i++) {
        client.call(1 + 2 * i, "/echo.List/All", "m");
      }
      client.flush();
      for (int i = 0; i < 64; i++) {
        assertEquals("0", client.response(1 + 2 * i).grpcStatus());
      }
      assertEquals(0, server.counts().limits().get(Limit.WAITING_CALLS));
    }
  }
}
