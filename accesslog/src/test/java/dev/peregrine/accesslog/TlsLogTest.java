package dev.peregrine.accesslog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.server.HttpResponse;
import dev.peregrine.server.Server;
import dev.peregrine.server.Tls;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is logged of encrypted connections. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TlsLogTest {

  private static final String PASSWORD = "changeit";

  @TempDir Path folder;

  /** A certificate for localhost, made by the JDK's keytool. */
  private Path store() throws Exception {
    Path store = folder.resolve("it.p12");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "it",
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-dname",
            "CN=localhost",
            "-ext",
            "san=dns:localhost",
            "-validity",
            "30",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            PASSWORD);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), text);
    return store;
  }

  private static SSLContext trusting(Path store) throws Exception {
    KeyStore made = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      made.load(in, PASSWORD.toCharArray());
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("it", made.getCertificate("it"));
    TrustManagerFactory trusts =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusts.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trusts.getTrustManagers(), null);
    return context;
  }

  @Test
  void versionsOfTlsAndOfHttpAreLogged() throws Exception {
    Path store = store();
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try (AccessLog log = AccessLog.to(written).json().start()) {
      try (Server server =
          Server.builder()
              .port(0)
              .onTerm(false)
              .tls(Tls.pkcs12(store, PASSWORD.toCharArray()))
              .http("/page", request -> HttpResponse.text(200, "a page"))
              .observe(log)
              .start()) {
        HttpClient client = HttpClient.newBuilder().sslContext(trusting(store)).build();
        URI page = URI.create("https://localhost:" + server.port() + "/page");
        client.send(
            HttpRequest.newBuilder(page).build(),
            java.net.http.HttpResponse.BodyHandlers.discarding());
      }
      String line = written.toString(UTF_8);
      assertTrue(line.contains("\"http\":\"2\""), line);
      assertTrue(line.contains("\"tls\":\"TLSv1.3\""), line);
    }
  }
}
