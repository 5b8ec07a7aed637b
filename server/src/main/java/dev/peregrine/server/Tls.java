package dev.peregrine.server;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * How connections are encrypted: TLS 1.2 and 1.3, with forward secrecy and authenticated encryption
 * only. Immutable, any thread.
 *
 * <pre>{@code
 * Server.builder()
 *     .tls(Tls.pem(Path.of("tls.crt"), Path.of("tls.key")))
 *     .port(8443)
 * }</pre>
 *
 * <p>Files are looked at while the server runs: new ones are used by new connections, all at once;
 * what is broken or does not fit together changes nothing and is logged.
 */
public final class Tls {

  /** Certificates are renewed weeks before they end, so a minute would do; people like to watch. */
  private static final Duration DEFAULT_RELOAD = Duration.ofSeconds(10);

  /** Whether clients show certificates. */
  public enum ClientCertificates {
    /** Nobody is asked. */
    NONE,
    /** Clients are asked; who shows none is served. */
    OPTIONAL,
    /** Who shows none is turned away in the handshake. */
    REQUIRED
  }

  private static final TlsProvider NO_PREPARATION = () -> null;

  private final Settings settings;

  private Tls(Settings settings) {
    this.settings = settings;
  }

  /** What an object says. Changed only until the object is made. */
  private static final class Settings {
    private List<IdentitySource> sources = List.of();
    private KeyManager keyManager;
    private SSLContext context;
    private ClientCertificates clients = ClientCertificates.NONE;
    private Path authorities;
    private TrustManager trustManager;
    private Duration reload = DEFAULT_RELOAD;
    private boolean plaintext;
    private boolean http2WithoutAlpn;
    private TlsProvider provider;

    Settings() {}

    Settings(Settings other) {
      sources = other.sources;
      keyManager = other.keyManager;
      context = other.context;
      clients = other.clients;
      authorities = other.authorities;
      trustManager = other.trustManager;
      reload = other.reload;
      plaintext = other.plaintext;
      http2WithoutAlpn = other.http2WithoutAlpn;
      provider = other.provider;
    }
  }

  /**
   * A certificate and its key in PEM files.
   *
   * @param certificateChain the server's certificate first, then those that lead to its authority
   * @param privateKey not encrypted: PKCS#8, or the older forms of RSA and EC keys
   */
  public static Tls pem(Path certificateChain, Path privateKey) {
    Settings made = new Settings();
    made.sources = List.of(IdentitySource.pem(certificateChain, privateKey));
    return new Tls(made);
  }

  /** Every certificate with a key in a PKCS#12 file. */
  public static Tls pkcs12(Path file, char[] password) {
    Settings made = new Settings();
    made.sources = List.of(IdentitySource.pkcs12(file, password));
    return new Tls(made);
  }

  /** Certificates and keys from anywhere, e.g. a hardware module. */
  public static Tls of(KeyManager keyManager) {
    Settings made = new Settings();
    made.keyManager = Objects.requireNonNull(keyManager, "keyManager");
    return new Tls(made);
  }

  /** A context that is ready for servers: it alone decides whom to trust and what to show. */
  public static Tls of(SSLContext context) {
    Settings made = new Settings();
    made.context = Objects.requireNonNull(context, "context");
    return new Tls(made);
  }

  /**
   * One more certificate, for clients that ask for a name it holds (SNI): the very name before a
   * wildcard. The first certificate of all answers those who ask for no name, or an unknown one.
   */
  public Tls withPem(Path certificateChain, Path privateKey) {
    if (settings.sources.isEmpty()) {
      throw new IllegalStateException("a key manager or context of your own chooses by itself");
    }
    Settings made = new Settings(settings);
    List<IdentitySource> all = new ArrayList<>(settings.sources);
    all.add(IdentitySource.pem(certificateChain, privateKey));
    made.sources = List.copyOf(all);
    return new Tls(made);
  }

  /**
   * Asks clients for certificates.
   *
   * @param authorities a PEM file with those that may vouch for clients; a new one is used by new
   *     connections, see {@link #withReload}
   */
  public Tls withClientCertificates(ClientCertificates wanted, Path authorities) {
    Settings made = new Settings(settings);
    made.clients = Objects.requireNonNull(wanted, "wanted");
    made.authorities = Objects.requireNonNull(authorities, "authorities");
    made.trustManager = null;
    return new Tls(made);
  }

  /** The same with a trust manager of your own. */
  public Tls withClientCertificates(ClientCertificates wanted, TrustManager trustManager) {
    Settings made = new Settings(settings);
    made.clients = Objects.requireNonNull(wanted, "wanted");
    made.trustManager = Objects.requireNonNull(trustManager, "trustManager");
    made.authorities = null;
    return new Tls(made);
  }

  /**
   * How often the files are looked at, 10 s by default.
   *
   * @param interval at least 10 ms, or zero for never
   */
  public Tls withReload(Duration interval) {
    if (!interval.isZero() && interval.compareTo(Duration.ofMillis(10)) < 0) {
      throw new IllegalArgumentException("withReload(" + interval + "): at least 10 ms, or zero");
    }
    Settings made = new Settings(settings);
    made.reload = interval;
    return new Tls(made);
  }

  /** Serves plaintext on the same port, too: the first byte of a connection tells. */
  public Tls withPlaintextAllowed() {
    Settings made = new Settings(settings);
    made.plaintext = true;
    return new Tls(made);
  }

  /**
   * Serves HTTP/2 to clients that name no protocol in the handshake (ALPN) but begin with its
   * preface; otherwise they are served HTTP/1.1 alone (RFC 9113, 3.2).
   */
  public Tls withHttp2WithoutAlpn() {
    Settings made = new Settings(settings);
    made.http2WithoutAlpn = true;
    return new Tls(made);
  }

  /**
   * Encrypts by a provider of your choice; by default by the first {@link TlsProvider} that is
   * found on the path and can work here, else by the JDK's. {@code withProvider(() -> null)} is the
   * JDK's whatever is on the path.
   *
   * @throws IllegalStateException if the context is one of your own, which has its provider
   */
  public Tls withProvider(TlsProvider provider) {
    if (settings.context != null) {
      throw new IllegalStateException("a context of your own has its provider");
    }
    Settings made = new Settings(settings);
    made.provider = Objects.requireNonNull(provider, "provider");
    return new Tls(made);
  }

  /**
   * Reads everything.
   *
   * @throws ServerStartException in one sentence, if a file cannot be read or is of no use
   */
  TlsContext open() {
    try {
      if (settings.context != null) {
        return new TlsContext(() -> settings.context, null, null, this, NO_PREPARATION);
      }
      Identities identities = settings.sources.isEmpty() ? null : new Identities(settings.sources);
      if (settings.provider != null) {
        return opened(identities, settings.provider, settings.provider.provider());
      }
      for (TlsProvider found : ServiceLoader.load(TlsProvider.class)) {
        Provider provider = found.provider();
        if (provider != null) {
          return opened(identities, found, provider);
        }
      }
      return opened(identities, NO_PREPARATION, null);
    } catch (IOException | GeneralSecurityException e) {
      throw new ServerStartException("TLS cannot be set up: " + e.getMessage(), e);
    }
  }

  private TlsContext opened(Identities identities, TlsProvider by, Provider provider)
      throws IOException, GeneralSecurityException {
    // What a provider prepares is for its own engines.
    TlsProvider preparation = provider == null ? NO_PREPARATION : by;
    KeyManager[] keys = {identities == null ? settings.keyManager : identities};
    ClientAuthorities authorities =
        settings.authorities == null ? null : new ClientAuthorities(settings.authorities);
    TlsContext.Maker maker =
        () -> {
          SSLContext made =
              provider == null
                  ? SSLContext.getInstance("TLS")
                  : SSLContext.getInstance("TLS", provider);
          made.init(keys, trustManagers(authorities), null);
          return made;
        };
    return new TlsContext(maker, identities, authorities, this, preparation);
  }

  private TrustManager[] trustManagers(ClientAuthorities authorities)
      throws IOException, GeneralSecurityException {
    if (authorities != null) {
      return authorities.read();
    }
    return settings.trustManager == null ? null : new TrustManager[] {settings.trustManager};
  }

  ClientCertificates clientCertificates() {
    return settings.clients;
  }

  Duration reloadInterval() {
    return settings.reload;
  }

  boolean plaintextAllowed() {
    return settings.plaintext;
  }

  boolean http2WithoutAlpn() {
    return settings.http2WithoutAlpn;
  }
}
