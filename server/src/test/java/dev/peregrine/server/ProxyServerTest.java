package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.ConnectionEnd;
import dev.peregrine.rpc.ConnectionStart;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.ServerObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients behind a proxy that says who they are. */
@Timeout(60)
class ProxyServerTest {

  private static final int TIMEOUT_MILLIS = 20_000;
  private static final byte[] V1 =
      "PROXY TCP4 192.0.2.7 203.0.113.9 56324 443\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] V2 =
      HexFormat.of().parseHex("0d0a0d0a000d0a515549540a2111000cc0000207cb007109dc0401bb");
  private static final byte[] LOCAL = HexFormat.of().parseHex("0d0a0d0a000d0a515549540a20000000");

  @TempDir static Path folder;

  private static ListenSocket loopback() {
    return ListenSocket.address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private static ServerBuilder builder(ListenSocket socket) {
    EchoService service =
        new EchoService((request, context) -> context.peer() + " to " + context.local());
    return Server.builder()
        .listen(socket)
        .onTerm(false)
        .grace(Duration.ofSeconds(5))
        .add(service, Execution.inline())
        .http("/", request -> HttpResponse.text(200, "hello"));
  }

  private static byte[] header(String kind) {
    return switch (kind) {
      case "v1" -> V1;
      case "v2" -> V2;
      default -> LOCAL;
    };
  }

  // The header and the first bytes of the client come in one packet, or each byte alone.
  @ParameterizedTest
  @CsvSource({"v1, false", "v1, true", "v2, false", "v2, true"})
  void theClientIsThatOfTheHeader(String kind, boolean trickled) throws Exception {
    try (Server server = builder(loopback().withProxyProtocol("127.0.0.0/8", "::1")).start();
        TrickleProxy proxy = new TrickleProxy(server.port());
        RawClient client = new RawClient(trickled ? proxy.port() : server.port())) {
      client.socket.getOutputStream().write(header(kind));
      client.open().call(1, EchoService.PATH, "who am I").flush();
      assertEquals("/192.0.2.7:56324 to /203.0.113.9:443", client.response(1).message());
    }
  }

  @Test
  void theProxysOwnConnectionsHaveItsAddress() throws Exception {
    try (Server server = builder(loopback().withProxyProtocol("127.0.0.1")).start();
        RawClient client = new RawClient(server.port())) {
      client.socket.getOutputStream().write(LOCAL);
      client.open().call(1, EchoService.PATH, "who am I").flush();
      assertEquals(
          "/127.0.0.1:" + client.socket.getLocalPort() + " to localhost/127.0.0.1:" + server.port(),
          client.response(1).message().replace("to /", "to localhost/"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v2"})
  void http11IsServedBehindIt(String kind) throws Exception {
    try (Server server = builder(loopback().withProxyProtocol("127.0.0.1")).start()) {
      assertTrue(get(server.port(), header(kind)).endsWith("hello"));
    }
  }

  @ParameterizedTest
  @CsvSource({"v1, false", "v1, true", "v2, false", "v2, true"})
  void tlsBeginsBehindTheHeader(String kind, boolean trickled) throws Exception {
    TestCertificates.Made made =
        new TestCertificates(folder)
            .make("proxied-" + kind + trickled, "EC", "dns:localhost,ip:127.0.0.1");
    Tls tls = Tls.pem(made.writeChain(folder.resolve("a.crt")), made.writeKey(folder.resolve("a")));
    try (Server server = builder(loopback().withTls(tls).withProxyProtocol("127.0.0.1")).start();
        TrickleProxy proxy = new TrickleProxy(server.port());
        Socket plain =
            new Socket(InetAddress.getLoopbackAddress(), trickled ? proxy.port() : server.port())) {
      plain.getOutputStream().write(header(kind));
      SSLSocket socket =
          (SSLSocket)
              TestCertificates.client(null, made.certificate())
                  .getSocketFactory()
                  .createSocket(plain, "localhost", server.port(), true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      RawClient client = new RawClient(socket).open();
      client.call(1, EchoService.PATH, "who am I").flush();
      assertEquals("/192.0.2.7:56324 to /203.0.113.9:443", client.response(1).message());
    }
  }

  // Another one could send the header of the proxy's choice otherwise.
  @Test
  void aTrustedProxyWithoutAHeaderIsTurnedAwayAndNamed() throws Exception {
    try (LogCapture log = new LogCapture();
        Server server = builder(loopback().withProxyProtocol("127.0.0.1")).start()) {
      assertEquals("", get(server.port(), new byte[0]));
      assertEquals(1, log.texts().size(), () -> log.texts().toString());
      assertTrue(log.texts().get(0).contains("/127.0.0.1"), () -> log.texts().toString());
      assertTrue(log.texts().get(0).endsWith("it sent no PROXY header"));
    }
  }

  @Test
  void othersAreServedAsTheyAre() throws Exception {
    try (Server server = builder(loopback().withProxyProtocol("192.0.2.0/24")).start();
        RawClient client = new RawClient(server.port())) {
      assertTrue(get(server.port(), new byte[0]).endsWith("hello"));
      client.open().call(1, EchoService.PATH, "who am I").flush();
      String peer = client.response(1).message();
      assertTrue(peer.startsWith("/127.0.0.1:" + client.socket.getLocalPort() + " to "), peer);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v2", "local"})
  void aHeaderOfOthersIsRefusedAndNamed(String kind) throws Exception {
    try (LogCapture log = new LogCapture();
        Server server = builder(loopback().withProxyProtocol("192.0.2.0/24")).start()) {
      assertEquals("", get(server.port(), header(kind)));
      assertEquals(1, log.texts().size(), () -> log.texts().toString());
      assertTrue(log.texts().get(0).endsWith("it sent a PROXY header, but is not trusted to"));
    }
  }

  @Test
  void aHeaderNobodyExpectsIsNamed() throws Exception {
    try (LogCapture log = new LogCapture();
        Server server = builder(loopback()).start()) {
      assertEquals("", get(server.port(), V2));
      assertEquals(1, log.texts().size(), () -> log.texts().toString());
      assertTrue(log.texts().get(0).contains("PROXY header to a port that expects none"));
    }
  }

  @Test
  void limitsCountClientsRatherThanTheProxy() throws Exception {
    ConnectionLimits limits = ConnectionLimits.DEFAULTS.withMaxConnectionsPerAddress(1);
    try (LogCapture log = new LogCapture();
        Server server =
            builder(loopback().withProxyProtocol("127.0.0.1")).connectionLimits(limits).start();
        RawClient first = new RawClient(server.port());
        RawClient own = new RawClient(server.port());
        RawClient other = new RawClient(server.port())) {
      for (RawClient client : List.of(first, own, other)) {
        client.socket.getOutputStream().write(client == first ? V1 : LOCAL);
        client.open().call(1, EchoService.PATH, "").flush();
        assertEquals("0", client.response(1).grpcStatus());
      }
      assertEquals("", get(server.port(), V1));
      assertTrue(log.texts().get(0).contains("/192.0.2.7"), () -> log.texts().toString());
      first.socket.shutdownOutput();
      // The place is free again once the server has seen the end.
      String reply = get(server.port(), V1);
      while (reply.isEmpty()) {
        reply = get(server.port(), V1);
      }
      assertTrue(reply.endsWith("hello"));
    }
  }

  @Test
  void observersHearOfTheClientRatherThanTheProxy() throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    ServerObserver observer =
        new ServerObserver() {
          @Override
          public void connectionOpened(ConnectionStart start) {
            heard.add("opened " + start.peer());
          }

          @Override
          public void connectionClosed(ConnectionEnd end) {
            heard.add("closed " + end.peer());
          }
        };
    try (Server server =
        builder(loopback().withProxyProtocol("127.0.0.1")).observe(observer).start()) {
      assertTrue(get(server.port(), V2).endsWith("hello"));
      assertEquals("opened /192.0.2.7:56324", heard.poll(20, TimeUnit.SECONDS));
      assertEquals("closed /192.0.2.7:56324", heard.poll(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void trustIsSaidByAddressesAlone() {
    assertThrows(IllegalArgumentException.class, () -> loopback().withProxyProtocol());
    assertThrows(
        IllegalArgumentException.class, () -> loopback().withProxyProtocol("proxy.example"));
  }

  /** The reply, or nothing if the server closes without one. */
  private static String get(int port, byte[] header) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(header);
      String text = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    } catch (SocketException e) {
      return ""; // reset: closed with the request unread
    }
  }
}
