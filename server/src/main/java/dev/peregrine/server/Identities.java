package dev.peregrine.server;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * The identities a server shows, chosen by the host name a client asks for (SNI, RFC 6066, 3), and
 * exchanged while it runs. Any thread.
 *
 * <p>A handshake asks several times: for an alias, then for its chain and key. An alias names the
 * generation too, and the one before stays, so that no handshake mixes old and new.
 */
final class Identities extends X509ExtendedKeyManager {

  private record Generation(
      long number, List<Identity> identities, List<Object> fingerprints, Generation previous) {

    /** Without those before the one before. */
    Generation cut() {
      return new Generation(number, identities, fingerprints, null);
    }
  }

  private final List<IdentitySource> sources;
  private final AtomicReference<Generation> current;

  /**
   * Reads all files.
   *
   * @throws IOException if a file cannot be read
   * @throws GeneralSecurityException in one sentence, if what it holds is of no use
   */
  Identities(List<IdentitySource> sources) throws IOException, GeneralSecurityException {
    this.sources = List.copyOf(sources);
    List<Object> fingerprints = fingerprints();
    this.current = new AtomicReference<>(new Generation(1, readAll(), fingerprints, null));
  }

  private List<Object> fingerprints() throws IOException {
    List<Object> all = new ArrayList<>();
    for (IdentitySource source : sources) {
      all.add(source.fingerprint());
    }
    return all;
  }

  private List<Identity> readAll() throws IOException, GeneralSecurityException {
    List<Identity> all = new ArrayList<>();
    for (IdentitySource source : sources) {
      all.addAll(source.read());
    }
    return List.copyOf(all);
  }

  /**
   * Looks at the files, and takes what is new all at once. What is broken changes nothing.
   *
   * @return whether there was something new
   * @throws IOException if a file cannot be read
   * @throws GeneralSecurityException in one sentence, if what it holds is of no use
   */
  boolean reload() throws IOException, GeneralSecurityException {
    Generation old = current.get();
    // Before the files are read: what changes between is seen the next time.
    List<Object> fingerprints = fingerprints();
    if (fingerprints.equals(old.fingerprints)) {
      return false;
    }
    current.set(new Generation(old.number + 1, readAll(), fingerprints, old.cut()));
    return true;
  }

  /** When the first of the certificates shown expires. */
  Instant notAfter() {
    return current.get().identities.stream()
        .map(identity -> identity.leaf().getNotAfter().toInstant())
        .min(Instant::compareTo)
        .orElse(Instant.MAX);
  }

  // ---- what a handshake asks

  @Override
  public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
    Generation generation = current.get();
    int best = best(generation.identities, keyType, hostName(engine));
    return best < 0 ? null : generation.number + ":" + best;
  }

  /**
   * The first identity with this kind of key among those that serve the name best: a name must not
   * be answered by another one's certificate because of its kind. Where none serves it, the very
   * first stands in, with those for the same names.
   */
  private static int best(List<Identity> identities, String keyType, String host) {
    int wanted = 0;
    for (Identity identity : identities) {
      wanted = Math.max(wanted, host == null ? 0 : identity.serves(host));
    }
    for (int i = 0; i < identities.size(); i++) {
      Identity identity = identities.get(i);
      boolean serves =
          wanted == 0
              ? identity.names().equals(identities.get(0).names())
              : identity.serves(host) == wanted;
      if (serves && identity.key().getAlgorithm().equals(keyType)) {
        return i;
      }
    }
    return -1;
  }

  private static String hostName(SSLEngine engine) {
    if (engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
      for (SNIServerName name : session.getRequestedServerNames()) {
        if (name instanceof SNIHostName host) {
          return host.getAsciiName().toLowerCase(Locale.ROOT);
        }
      }
    }
    return null;
  }

  private Identity identity(String alias) {
    int colon = alias.indexOf(':');
    long number = Long.parseLong(alias.substring(0, colon));
    int index = Integer.parseInt(alias.substring(colon + 1));
    for (Generation g = current.get(); g != null; g = g.previous) {
      if (g.number == number) {
        return g.identities.get(index);
      }
    }
    return null;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    Identity identity = identity(alias);
    return identity == null ? null : identity.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    Identity identity = identity(alias);
    return identity == null ? null : identity.key();
  }

  @Override
  public String[] getServerAliases(String keyType, Principal[] issuers) {
    Generation generation = current.get();
    int best = best(generation.identities, keyType, null);
    return best < 0 ? null : new String[] {generation.number + ":" + best};
  }

  @Override
  public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
    String[] aliases = getServerAliases(keyType, issuers);
    return aliases == null ? null : aliases[0];
  }

  @Override
  public String[] getClientAliases(String keyType, Principal[] issuers) {
    return null; // a server is never a client
  }

  @Override
  public String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
    return null;
  }
}
