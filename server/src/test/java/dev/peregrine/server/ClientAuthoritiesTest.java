package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.server.TestCertificates.Made;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who vouches for clients may change while the server runs. */
@Timeout(60)
class ClientAuthoritiesTest {

  @TempDir static Path folder;

  private static Made own;
  private static Made first;
  private static Made second;

  @BeforeAll
  static void makeCertificates() throws Exception {
    TestCertificates certificates = new TestCertificates(folder);
    own = certificates.make("own", "EC", "dns:localhost");
    first = certificates.make("first", "EC", "dns:first");
    second = certificates.make("second", "EC", "dns:second");
  }

  @ParameterizedTest
  @ValueSource(strings = {"JDK", "Conscrypt"})
  void newAuthoritiesAreTrustedAndOldOnesNoMore(String name) throws Exception {
    Path authorities = first.writeChain(folder.resolve("authorities.pem"));
    Tls tls =
        Tls.pem(own.writeChain(folder.resolve("own.crt")), own.writeKey(folder.resolve("own.key")))
            .withClientCertificates(Tls.ClientCertificates.REQUIRED, authorities)
            .withReload(Duration.ofMillis(10))
            .withProvider(name.equals("JDK") ? () -> null : new ConscryptProvider());
    // One context for each client, so that it tries to resume its session.
    SSLContext one = TestCertificates.client(first, own.certificate());
    SSLContext two = TestCertificates.client(second, own.certificate());
    try (LogCapture log = new LogCapture();
        Server server =
            Server.builder()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .tls(tls)
                .onTerm(false)
                .http("/", request -> HttpResponse.text(200, "hello"))
                .start()) {
      assertTrue(isServed(server, one));
      assertTrue(!isServed(server, two), "served without an authority");

      Path next = folder.resolve("next.pem");
      replace(authorities, Files.writeString(next, "-----BEGIN CERTIFICATE-----\nnone\n"));
      await(log, text -> text.contains("stay, as the new ones are of no use"));
      assertTrue(isServed(server, one), "a broken file took the old authority away");

      replace(authorities, second.writeChain(next));
      await(log, text -> text.equals("new authorities for client certificates are used"));
      assertTrue(isServed(server, two));
      assertTrue(!isServed(server, one), "served by its old session");
      assertEquals(1, log.texts().stream().filter(text -> text.contains("of no use")).count());
    }
  }

  /** At once: the server may look at any time, also between an emptied file and a written one. */
  private static void replace(Path file, Path by) throws IOException {
    Files.move(by, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void await(LogCapture log, Predicate<String> line) throws InterruptedException {
    while (log.texts().stream().noneMatch(line)) {
      Thread.sleep(5);
    }
  }

  private static boolean isServed(Server server, SSLContext context) {
    String request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    try (SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      byte[] reply = socket.getInputStream().readAllBytes();
      return new String(reply, StandardCharsets.US_ASCII).endsWith("hello");
    } catch (IOException e) {
      return false;
    }
  }
}
