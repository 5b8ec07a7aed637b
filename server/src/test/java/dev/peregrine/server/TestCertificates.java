package dev.peregrine.server;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates made by the JDK's keytool, in a folder of the test. One thread. */
final class TestCertificates {

  static final char[] PASSWORD = "changeit".toCharArray();

  private final Path folder;

  TestCertificates(Path folder) {
    this.folder = folder;
  }

  /** A self-signed certificate with its key. */
  record Made(Path store, X509Certificate certificate, Key key) {

    /** The file of the certificate in PEM. */
    Path writeChain(Path file) throws IOException, GeneralSecurityException {
      return Files.writeString(file, pem("CERTIFICATE", certificate.getEncoded()));
    }

    /** The file of the key in PEM, as PKCS#8. */
    Path writeKey(Path file) throws IOException {
      return Files.writeString(file, pem("PRIVATE KEY", key.getEncoded()));
    }
  }

  static String pem(String label, byte[] der) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }

  /**
   * Makes a certificate.
   *
   * @param algorithm EC or RSA
   * @param names alternative names, e.g. {@code dns:localhost}
   */
  Made make(String name, String algorithm, String names) throws Exception {
    Path store = folder.resolve(name + ".p12");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(
        List.of("-genkeypair", "-alias", "it", "-keyalg", algorithm, "-dname", "CN=" + name));
    command.addAll(List.of("-ext", "san=" + names, "-validity", "30", "-storetype", "PKCS12"));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", new String(PASSWORD)));
    if (algorithm.equals("EC")) {
      command.addAll(List.of("-groupname", "secp256r1"));
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("keytool failed: " + text);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = new FileInputStream(store.toFile())) {
      keys.load(in, PASSWORD);
    }
    return new Made(
        store, (X509Certificate) keys.getCertificate("it"), keys.getKey("it", PASSWORD));
  }

  /** A client that trusts some certificates and shows one, or {@code null}. */
  static SSLContext client(Made own, Certificate... trusted) throws Exception {
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    for (int i = 0; i < trusted.length; i++) {
      trust.setCertificateEntry("trusted" + i, trusted[i]);
    }
    TrustManagerFactory trusts =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusts.init(trust);
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    KeyStore shown = KeyStore.getInstance("PKCS12");
    shown.load(null, null);
    if (own != null) {
      shown.setKeyEntry("it", own.key(), PASSWORD, new Certificate[] {own.certificate()});
    }
    keys.init(shown, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trusts.getTrustManagers(), null);
    return context;
  }
}
