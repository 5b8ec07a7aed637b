package dev.peregrine.conscrypt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.ConnectionEnd;
import dev.peregrine.rpc.ServerObserver;
import dev.peregrine.server.HttpResponse;
import dev.peregrine.server.Server;
import dev.peregrine.server.Tls;
import java.io.FileInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ConscryptTlsTest {

  private static final char[] PASSWORD = "changeit".toCharArray();

  private static final int CONNECTIONS = 60;

  @TempDir static Path folder;

  private static Path store;

  @BeforeAll
  static void makeCertificate() throws Exception {
    store = folder.resolve("server.p12");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(
        List.of("-genkeypair", "-alias", "it", "-keyalg", "EC", "-dname", "CN=localhost"));
    command.addAll(List.of("-groupname", "secp256r1", "-validity", "30", "-storetype", "PKCS12"));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", new String(PASSWORD)));
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
  }

  @Test
  void isUsedByBeingThere() throws Exception {
    String session = sessionOf(Tls.pkcs12(store, PASSWORD));
    assertTrue(session.startsWith("org.conscrypt."), session);
  }

  @Test
  void theJdkIsUsedWhereThatIsAskedFor() throws Exception {
    String session = sessionOf(Tls.pkcs12(store, PASSWORD).withProvider(() -> null));
    assertTrue(session.startsWith("sun.security.ssl."), session);
  }

  /** Each engine of Conscrypt has two descriptors, which must not wait for the collector. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void connectionsThatAreGoneHoldNoDescriptors() throws Exception {
    SSLContext client = client();
    try (Server server =
        Server.builder()
            .bind(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Tls.pkcs12(store, PASSWORD))
            .http("/", request -> HttpResponse.text(200, "hello"))
            .onTerm(false)
            .start()) {
      connectAndGo(server, client, 0);
      int before = descriptors();
      for (int i = 0; i < CONNECTIONS; i++) {
        connectAndGo(server, client, i);
      }
      while (server.connections() > 0) {
        Thread.sleep(5);
      }
      assertTrue(descriptors() < before + CONNECTIONS, before + " before, now " + descriptors());
    }
  }

  /** A connection that ends by FIN or by RST, in the handshake or behind it. */
  private static void connectAndGo(Server server, SSLContext client, int how) throws Exception {
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      plain.setSoLinger(how % 2 == 0, 0);
      if (how % 3 == 0) {
        plain.getOutputStream().write(new byte[] {22, 3, 1, 0, 100, 1});
      } else {
        SSLSocket secured =
            (SSLSocket)
                client.getSocketFactory().createSocket(plain, "localhost", server.port(), false);
        secured.startHandshake();
      }
    }
  }

  private static int descriptors() {
    return Path.of("/proc/self/fd").toFile().list().length;
  }

  /** Calls a server, and returns the class of its session. */
  private static String sessionOf(Tls tls) throws Exception {
    BlockingQueue<String> sessions = new LinkedBlockingQueue<>();
    ServerObserver observer =
        new ServerObserver() {
          @Override
          public void connectionClosed(ConnectionEnd end) {
            sessions.add(end.tlsSession().getClass().getName());
          }
        };
    try (Server server =
            Server.builder()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), tls)
                .http("/", request -> HttpResponse.text(200, "hello"))
                .observe(observer)
                .onTerm(false)
                .start();
        SSLSocket socket =
            (SSLSocket)
                client()
                    .getSocketFactory()
                    .createSocket(InetAddress.getLoopbackAddress(), server.port())) {
      String text = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      byte[] reply = socket.getInputStream().readAllBytes();
      assertTrue(new String(reply, StandardCharsets.US_ASCII).endsWith("hello"));
    }
    return sessions.poll(20, TimeUnit.SECONDS);
  }

  private static SSLContext client() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = new FileInputStream(store.toFile())) {
      keys.load(in, PASSWORD);
    }
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry("it", keys.getCertificate("it"));
    TrustManagerFactory trusts =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusts.init(trust);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trusts.getTrustManagers(), null);
    return context;
  }
}
