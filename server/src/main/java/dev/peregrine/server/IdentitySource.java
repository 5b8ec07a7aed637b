package dev.peregrine.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Files that hold identities. Immutable, any thread. */
interface IdentitySource {

  /**
   * What the files hold now: equal while they do not change.
   *
   * @throws IOException if a file cannot be read
   */
  Object fingerprint() throws IOException;

  /**
   * Reads the identities.
   *
   * @throws IOException if a file cannot be read
   * @throws GeneralSecurityException in one sentence, if what it holds is of no use
   */
  List<Identity> read() throws IOException, GeneralSecurityException;

  /** A chain and a key in PEM files, which may be the same one. */
  static IdentitySource pem(Path chain, Path key) {
    return new IdentitySource() {
      @Override
      public Object fingerprint() throws IOException {
        return Arrays.hashCode(PemFiles.read(chain)) * 31L + Arrays.hashCode(PemFiles.read(key));
      }

      @Override
      public List<Identity> read() throws IOException, GeneralSecurityException {
        List<X509Certificate> certificates =
            PemFiles.certificates(PemFiles.read(chain), chain.toString());
        PrivateKey privateKey =
            PemFiles.privateKey(
                PemFiles.read(key), certificates.get(0).getPublicKey(), key.toString());
        return List.of(Identity.of(certificates, privateKey, chain + ", " + key));
      }
    };
  }

  /** Every key entry of a PKCS#12 file. */
  static IdentitySource pkcs12(Path file, char[] password) {
    char[] secret = password.clone();
    return new IdentitySource() {
      @Override
      public Object fingerprint() throws IOException {
        return (long) Arrays.hashCode(PemFiles.read(file));
      }

      @Override
      public List<Identity> read() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(new ByteArrayInputStream(PemFiles.read(file)), secret);
        List<Identity> found = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
          if (store.getKey(alias, secret) instanceof PrivateKey key) {
            List<X509Certificate> chain = new ArrayList<>();
            for (Certificate certificate : store.getCertificateChain(alias)) {
              chain.add((X509Certificate) certificate);
            }
            found.add(Identity.of(chain, key, file + ", entry " + alias));
          }
        }
        if (found.isEmpty()) {
          throw new GeneralSecurityException(file + " holds no private key");
        }
        return found;
      }
    };
  }
}
