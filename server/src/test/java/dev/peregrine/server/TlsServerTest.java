package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Execution;
import dev.peregrine.server.TestCertificates.Made;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class TlsServerTest {

  private static final int TIMEOUT_MILLIS = 20_000;
  private static final int MIB = 1 << 20;
  private static final int SMALL_BUFFER_BYTES = 4096;

  @TempDir static Path folder;

  private static Made ec;
  private static Made rsa;
  private static Path chain;
  private static Path key;

  @BeforeAll
  static void makeCertificates() throws Exception {
    TestCertificates certificates = new TestCertificates(folder);
    ec = certificates.make("ec", "EC", "dns:localhost,ip:127.0.0.1");
    rsa = certificates.make("rsa", "RSA", "dns:other.test,dns:*.wild.test");
    chain = ec.writeChain(folder.resolve("ec.crt"));
    key = ec.writeKey(folder.resolve("ec.key"));
  }

  /** By what the server encrypts, or {@code null} for the JDK's. */
  TlsProvider provider() {
    return null;
  }

  private ServerBuilder builder(Tls settings) {
    return builder(settings, loopback());
  }

  private static ListenSocket loopback() {
    return ListenSocket.address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private ServerBuilder builder(Tls settings, ListenSocket socket) {
    Tls tls = provider() == null ? settings : settings.withProvider(provider());
    return Server.builder()
        .listen(socket)
        .tls(tls)
        .onTerm(false)
        .grace(Duration.ofSeconds(5))
        .http("/", request -> HttpResponse.text(200, "hello"))
        .http("/echo", request -> HttpResponse.of(200, "application/x", request.body()));
  }

  private static HttpClient client(SSLContext context, HttpClient.Version version) {
    return HttpClient.newBuilder().sslContext(context).version(version).build();
  }

  private static java.net.http.HttpRequest.Builder request(Server server, String path) {
    return java.net.http.HttpRequest.newBuilder(
            URI.create("https://localhost:" + server.port() + path))
        .timeout(Duration.ofMillis(TIMEOUT_MILLIS));
  }

  // The protocol is agreed upon in the handshake, over both versions of TLS.
  @ParameterizedTest
  @CsvSource({
    "TLSv1.3, h2, h2", "TLSv1.2, h2, h2", "TLSv1.3, http/1.1, http/1.1",
    "TLSv1.2, http/1.1, http/1.1", "TLSv1.3, 'http/1.1 h2', h2",
        "TLSv1.3, 'foo http/1.1', http/1.1",
    "TLSv1.3, '', ''",
  })
  void theProtocolIsAgreedUpon(String version, String offered, String agreed) throws Exception {
    try (Server server = builder(Tls.pem(chain, key)).start();
        SSLSocket socket = open(server, trusting(ec))) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setProtocols(new String[] {version});
      if (!offered.isEmpty()) {
        parameters.setApplicationProtocols(offered.split(" "));
      }
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      assertEquals(version, socket.getSession().getProtocol());
      assertEquals(agreed, socket.getApplicationProtocol());
      if (agreed.equals("h2")) {
        RawClient client = new RawClient(socket).open();
        client.head(1, "GET", "/", null, true).flush();
        assertEquals("hello", client.response(1).text());
      } else {
        assertTrue(get(socket).endsWith("hello"));
      }
    }
  }

  // RFC 7301, 3.2: fatal alert no_application_protocol, by the JDK; Conscrypt knows none.
  @Test
  void aForeignProtocolIsRefusedInTheHandshake() throws Exception {
    try (LogCapture log = new LogCapture();
        Server server = builder(Tls.pem(chain, key)).start();
        SSLSocket socket = open(server, trusting(ec))) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"foo"});
      socket.setSSLParameters(parameters);
      if (provider() == null) {
        SSLException e = assertThrows(SSLException.class, socket::startHandshake);
        assertTrue(e.getMessage().contains("no_application_protocol"), e::toString);
      }
      assertEquals("", getOrNothing(socket));
      assertEquals(1, log.texts().size(), () -> log.texts().toString());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void http2WithoutAlpnIsOnlyServedIfAllowed(boolean allowed) throws Exception {
    Tls tls = Tls.pem(chain, key);
    try (Server server = builder(allowed ? tls.withHttp2WithoutAlpn() : tls).start();
        SSLSocket socket = open(server, trusting(ec))) {
      RawClient client = new RawClient(socket).open();
      client.head(1, "GET", "/", null, true).flush();
      if (allowed) {
        assertEquals("hello", client.response(1).text());
      } else {
        assertFalse(client.closedAfterGoAway());
      }
    }
  }

  // Bodies of many records each way, over both versions of HTTP, at the same time.
  @ParameterizedTest
  @ValueSource(strings = {"HTTP_2", "HTTP_1_1"})
  void largeBodiesComeBackUnchanged(HttpClient.Version version) throws Exception {
    echo(builder(Tls.pem(chain, key)), version, 3 * MIB);
  }

  // The same through sockets that take part of a record, and go on when the peer has read it.
  @ParameterizedTest
  @ValueSource(strings = {"HTTP_2", "HTTP_1_1"})
  void largeBodiesComeBackUnchangedThroughSmallBuffers(HttpClient.Version version)
      throws Exception {
    ListenSocket socket = loopback().withBufferBytes(SMALL_BUFFER_BYTES, SMALL_BUFFER_BYTES);
    echo(builder(Tls.pem(chain, key), socket), version, MIB);
  }

  private static void echo(ServerBuilder builder, HttpClient.Version version, int maxBytes)
      throws Exception {
    try (Server server = builder.start()) {
      HttpClient client = client(trusting(ec), version);
      Random random = new Random(1);
      for (int bytes : new int[] {0, 1, 16_383, 16_384, 16_385, 100_000, maxBytes}) {
        byte[] body = new byte[bytes];
        random.nextBytes(body);
        var reply =
            client.send(
                request(server, "/echo").POST(BodyPublishers.ofByteArray(body)).build(),
                BodyHandlers.ofByteArray());
        assertEquals(version, reply.version());
        assertArrayEquals(body, reply.body());
      }
    }
  }

  // Records cut anywhere: one byte per packet through the whole handshake and a request.
  @Test
  void recordsMayComeByteByByte() throws Exception {
    try (Server server = builder(Tls.pem(chain, key)).start();
        TrickleProxy proxy = new TrickleProxy(server.port());
        SSLSocket socket = open(proxy.port(), trusting(ec))) {
      assertTrue(get(socket).endsWith("hello"));
    }
  }

  @Test
  void thePeersCertificateIsKnownToTheHandler() throws Exception {
    Path authorities = rsa.writeChain(folder.resolve("clients.pem"));
    Tls tls =
        Tls.pem(chain, key).withClientCertificates(Tls.ClientCertificates.OPTIONAL, authorities);
    EchoService service =
        new EchoService(
            (request, context) -> {
              var session = context.tlsSession().orElseThrow();
              try {
                X509Certificate leaf = (X509Certificate) session.getPeerCertificates()[0];
                return session.getProtocol() + " " + leaf.getSubjectX500Principal().getName();
              } catch (SSLException e) {
                return session.getProtocol() + " nobody";
              }
            });
    try (Server server = builder(tls).add(service, Execution.inline()).start()) {
      assertEquals("TLSv1.3 CN=rsa", call(server, TestCertificates.client(rsa, ec.certificate())));
      assertEquals("TLSv1.3 nobody", call(server, trusting(ec)));
    }
  }

  private static String call(Server server, SSLContext context) throws Exception {
    try (SSLSocket socket = open(server, context)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      RawClient client = new RawClient(socket).open();
      client.call(1, EchoService.PATH, "who am I").flush();
      return client.response(1).message();
    }
  }

  @Test
  void aClientWithoutTheCertificateThatIsRequiredIsTurnedAway() throws Exception {
    Path authorities = rsa.writeChain(folder.resolve("required.pem"));
    Tls tls =
        Tls.pem(chain, key).withClientCertificates(Tls.ClientCertificates.REQUIRED, authorities);
    try (Server server = builder(tls).start()) {
      try (SSLSocket socket = open(server, TestCertificates.client(rsa, ec.certificate()))) {
        assertTrue(get(socket).endsWith("hello"));
      }
      for (Made own : Arrays.asList(null, ec)) {
        try (SSLSocket socket = open(server, TestCertificates.client(own, ec.certificate()))) {
          assertEquals("", getOrNothing(socket), "served, though it showed " + own);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, ec",
    "other.test, rsa",
    "a.wild.test, rsa",
    "a.b.wild.test, ec",
    "unknown.test, ec",
    "OTHER.test, rsa",
  })
  void theCertificateIsThatOfTheNameAskedFor(String name, String subject) throws Exception {
    Tls tls =
        Tls.pem(chain, key)
            .withPem(
                rsa.writeChain(folder.resolve("rsa.crt")), rsa.writeKey(folder.resolve("rsa.key")));
    try (Server server = builder(tls).start();
        SSLSocket socket = open(server, trusting(ec, rsa))) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setServerNames(List.of(new SNIHostName(name)));
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      assertEquals("CN=" + subject, shown.getSubjectX500Principal().getName());
    }
  }

  @Test
  void oldVersionsAndWeakCiphersAreNotSpoken() throws Exception {
    try (Server server = builder(Tls.pem(chain, key)).start()) {
      SSLContext context = trusting(ec);
      for (String suite : context.getSupportedSSLParameters().getCipherSuites()) {
        boolean strong =
            suite.startsWith("TLS_AES_")
                || suite.startsWith("TLS_CHACHA20_")
                || (suite.startsWith("TLS_ECDHE_ECDSA_")
                    && (suite.contains("GCM") || suite.contains("CHACHA")));
        try (SSLSocket socket = open(server, context)) {
          socket.setEnabledProtocols(new String[] {"TLSv1.2", "TLSv1.3"});
          socket.setEnabledCipherSuites(new String[] {suite});
          if (strong) {
            socket.startHandshake();
          } else {
            assertThrows(SSLException.class, socket::startHandshake, suite);
          }
        }
      }
    }
  }

  @Test
  void plaintextOnATlsPortIsClosedAndLogged() throws Exception {
    try (LogCapture log = new LogCapture();
        Server server = builder(Tls.pem(chain, key)).start();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket
          .getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertEquals(
          "", new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
      assertEquals(1, log.texts().size(), () -> log.texts().toString());
      assertTrue(log.texts().get(0).contains("spoke plaintext to a TLS port"));
    }
  }

  @Test
  void bothMayBeSpokenOnOnePort() throws Exception {
    try (Server server = builder(Tls.pem(chain, key).withPlaintextAllowed()).start()) {
      try (SSLSocket socket = open(server, trusting(ec))) {
        assertTrue(get(socket).endsWith("hello"));
      }
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        socket.setSoTimeout(TIMEOUT_MILLIS);
        assertTrue(get(socket).endsWith("hello"));
      }
    }
  }

  @Test
  void garbageInsteadOfAHandshakeIsClosedAndLoggedOnce() throws Exception {
    try (LogCapture log = new LogCapture();
        Server server = builder(Tls.pem(chain, key)).start();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      byte[] garbage = new byte[1000];
      new Random(3).nextBytes(garbage);
      garbage[0] = 22;
      socket.getOutputStream().write(garbage);
      socket.getInputStream().readAllBytes();
      assertEquals(1, log.texts().size(), () -> log.texts().toString());
    }
  }

  // New files under load: no call fails, and the new serial number is shown.
  @Test
  void certificatesAreReplacedWithoutALostCall() throws Exception {
    TestCertificates certificates = new TestCertificates(folder);
    Made next = certificates.make("next", "RSA", "dns:localhost");
    Path liveChain = Files.copy(chain, folder.resolve("live.crt"));
    Path liveKey = Files.copy(key, folder.resolve("live.key"));
    Tls tls = Tls.pem(liveChain, liveKey).withReload(Duration.ofMillis(10));
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger calls = new AtomicInteger();
    List<Throwable> failures = new ArrayList<>();
    try (LogCapture log = new LogCapture();
        Server server = builder(tls).start()) {
      Thread load =
          new Thread(
              () -> {
                try {
                  while (!stop.get()) {
                    try (SSLSocket socket = open(server, trusting(ec, next))) {
                      assertTrue(get(socket).endsWith("hello"));
                    }
                    calls.incrementAndGet();
                  }
                } catch (Throwable e) {
                  failures.add(e);
                }
              });
      load.start();
      while (calls.get() < 20 && load.isAlive()) {
        Thread.onSpinWait();
      }
      // A renewal that is half done: the chain is new, the key is not. The old pair stays.
      next.writeChain(liveChain);
      while (log.texts().stream()
          .noneMatch(text -> text.contains("stay, as the new ones are of no use"))) {
        Thread.sleep(5);
      }
      assertEquals("CN=ec", shown(server, next));
      next.writeKey(liveKey);
      while (!shown(server, next).equals("CN=next")) {
        Thread.sleep(5);
      }
      int before = calls.get();
      while (calls.get() < before + 20 && load.isAlive()) {
        Thread.onSpinWait();
      }
      stop.set(true);
      load.join();
      assertEquals(List.of(), failures);
      assertEquals(
          next.certificate().getNotAfter().toInstant(), server.certificateExpiry().orElseThrow());
    }
  }

  private static String shown(Server server, Made next) throws Exception {
    try (SSLSocket socket = open(server, trusting(ec, next))) {
      socket.startHandshake();
      X509Certificate leaf = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return leaf.getSubjectX500Principal().getName();
    }
  }

  @Test
  void aServerThatStopsSaysSoInTls() throws Exception {
    Server server = builder(Tls.pem(chain, key)).start();
    try (SSLSocket socket = open(server, trusting(ec))) {
      socket.startHandshake();
      server.close();
      // Without close_notify the JDK's client throws here.
      assertEquals(-1, socket.getInputStream().read());
    }
  }

  @Test
  void filesOfNoUseAreOneSentence() {
    String text = refusal(Tls.pem(folder.resolve("absent.crt"), key));
    assertTrue(text.contains("absent.crt"), text);
    text = refusal(Tls.pem(key, key));
    assertTrue(text.contains("holds no certificate"), text);
    text = refusal(Tls.pem(chain, chain));
    assertTrue(text.contains("holds no private key"), text);
    text = refusal(Tls.pkcs12(ec.store(), "wrong".toCharArray()));
    assertTrue(text.contains("TLS cannot be set up"), text);
  }

  private String refusal(Tls tls) {
    return assertThrows(ServerStartException.class, () -> builder(tls).start()).getMessage();
  }

  @Test
  void aPkcs12FileServesAsWell() throws Exception {
    try (Server server = builder(Tls.pkcs12(rsa.store(), TestCertificates.PASSWORD)).start();
        SSLSocket socket = open(server, trusting(rsa))) {
      assertTrue(get(socket).endsWith("hello"));
    }
  }

  // ---- clients

  private static SSLContext trusting(Made... made) throws Exception {
    X509Certificate[] trusted =
        Arrays.stream(made).map(Made::certificate).toArray(X509Certificate[]::new);
    return TestCertificates.client(null, trusted);
  }

  private static SSLSocket open(Server server, SSLContext context) throws IOException {
    return open(server.port(), context);
  }

  private static SSLSocket open(int port, SSLContext context) throws IOException {
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  /** What a server that turns the client away says: an alert, or that nothing follows. */
  private static String getOrNothing(Socket socket) {
    try {
      return get(socket);
    } catch (IOException e) {
      return "";
    }
  }

  private static String get(Socket socket) throws IOException {
    String text = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    InputStream in = socket.getInputStream();
    return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
  }
}
