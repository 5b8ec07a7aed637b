package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client that comes again need not shake hands in full, by the word of openssl. */
@Timeout(60)
class TlsResumptionTest {

  @TempDir static Path folder;

  private static Tls tls;

  @BeforeAll
  static void makeCertificate() throws Exception {
    assumeTrue(opensslIsThere(), "needs the openssl command as a client");
    TestCertificates.Made made =
        new TestCertificates(folder).make("resumed", "EC", "dns:localhost,ip:127.0.0.1");
    tls = Tls.pem(made.writeChain(folder.resolve("a.crt")), made.writeKey(folder.resolve("a.key")));
  }

  private static boolean opensslIsThere() throws InterruptedException {
    try {
      return new ProcessBuilder("openssl", "version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @ParameterizedTest
  @CsvSource({"JDK, tls1_3", "JDK, tls1_2", "Conscrypt, tls1_3", "Conscrypt, tls1_2"})
  void sessionsAreResumed(String name, String version) throws Exception {
    TlsProvider provider = name.equals("Conscrypt") ? new ConscryptProvider() : () -> null;
    try (Server server =
        Server.builder()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .tls(tls.withProvider(provider))
            .http("/", request -> HttpResponse.text(200, "hello"))
            .onTerm(false)
            .start()) {
      Path session = folder.resolve(name + version);
      String first = openssl(server, version, "-sess_out", session.toString());
      assertTrue(first.contains("\nNew, TLSv1."), first);
      assertTrue(first.contains("hello"), first);
      assertTrue(Files.size(session) > 0);
      String second = openssl(server, version, "-sess_in", session.toString());
      assertTrue(second.contains("\nReused, TLSv1."), second);
      assertTrue(second.contains("hello"), second);
    }
  }

  private static String openssl(Server server, String version, String... more) throws Exception {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("openssl", "s_client", "-connect", "127.0.0.1:" + server.port()));
    command.addAll(List.of("-" + version, "-alpn", "http/1.1", "-ign_eof"));
    command.addAll(List.of(more));
    File input = folder.resolve("request").toFile();
    Files.writeString(
        input.toPath(), "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    Process process =
        new ProcessBuilder(command).redirectInput(input).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), text);
    return text;
  }
}
