package dev.peregrine.server;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * The PEM file with those that may vouch for clients. The thread that starts the server, then the
 * one that looks for new files.
 */
final class ClientAuthorities {

  private final Path file;
  private byte[] taken;

  ClientAuthorities(Path file) {
    this.file = file;
  }

  /**
   * Reads the file.
   *
   * @throws IOException if it cannot be read
   * @throws GeneralSecurityException in one sentence, if what it holds is of no use
   */
  TrustManager[] read() throws IOException, GeneralSecurityException {
    byte[] pem = PemFiles.read(file);
    List<X509Certificate> found = PemFiles.certificates(pem, file.toString());
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (int i = 0; i < found.size(); i++) {
      store.setCertificateEntry("authority " + i, found.get(i));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    taken = pem;
    return factory.getTrustManagers();
  }

  /**
   * Whether the file holds something else than when it was last read with success.
   *
   * @throws IOException if it cannot be read
   */
  boolean changed() throws IOException {
    return !Arrays.equals(PemFiles.read(file), taken);
  }
}
