package dev.peregrine.server;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * A certificate chain with its private key, and the host names it is for. Immutable, any thread.
 *
 * @param names of the leaf, in lower case; one may begin with {@code *.}
 */
record Identity(List<X509Certificate> chain, PrivateKey key, List<String> names) {

  /** A dNSName of the subject's alternative names (RFC 5280, 4.2.1.6). */
  private static final int DNS_NAME = 2;

  private static final byte[] PROBE = {1, 2, 3};

  /**
   * Puts a chain and a key together.
   *
   * @param source where they come from, for messages
   * @throws GeneralSecurityException in one sentence, if the key is another one's
   */
  static Identity of(List<X509Certificate> chain, PrivateKey key, String source)
      throws GeneralSecurityException {
    if (!belongs(key, chain.get(0).getPublicKey())) {
      throw new GeneralSecurityException(source + ": the key is not that of the certificate");
    }
    return new Identity(List.copyOf(chain), key, namesOf(chain.get(0)));
  }

  /** The leaf: what clients check. */
  X509Certificate leaf() {
    return chain.get(0);
  }

  /**
   * How well a host name is served: 2 by this very name, 1 by a wildcard (RFC 6125, 6.4.3: for one
   * label), 0 not.
   */
  int serves(String host) {
    int dot = host.indexOf('.');
    String wildcard = dot < 0 ? null : "*" + host.substring(dot);
    int best = 0;
    for (String name : names) {
      if (name.equals(host)) {
        return 2;
      }
      if (name.equals(wildcard)) {
        best = 1;
      }
    }
    return best;
  }

  private static List<String> namesOf(X509Certificate leaf) throws CertificateParsingException {
    List<String> names = new ArrayList<>();
    Collection<List<?>> alternatives = leaf.getSubjectAlternativeNames();
    if (alternatives != null) {
      for (List<?> alternative : alternatives) {
        if (alternative.get(0).equals(DNS_NAME)) {
          names.add(alternative.get(1).toString().toLowerCase(Locale.ROOT));
        }
      }
    }
    return List.copyOf(names);
  }

  private static boolean belongs(PrivateKey key, PublicKey publicKey)
      throws GeneralSecurityException {
    String algorithm =
        switch (publicKey.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> publicKey.getAlgorithm();
        };
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    signature.update(PROBE);
    byte[] signed = signature.sign();
    signature.initVerify(publicKey);
    signature.update(PROBE);
    return signature.verify(signed);
  }
}
