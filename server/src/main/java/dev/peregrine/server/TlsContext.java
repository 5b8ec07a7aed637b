package dev.peregrine.server;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** TLS as one listener speaks it: makes the engines of connections. Any thread. */
final class TlsContext implements AutoCloseable {

  /** In the server's order of preference (RFC 7301, 3.2). */
  static final String H2 = "h2";

  static final String HTTP_1_1 = "http/1.1";

  private static final String JDK_PROVIDER = "SunJSSE";

  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  /** Without files to reload there is still an expiry to warn of, once a day. */
  private static final Duration EXPIRY_LOOK = Duration.ofHours(1);

  /** Makes a context of TLS: once, and again when the authorities of clients were replaced. */
  interface Maker {

    /**
     * A context.
     *
     * @throws IOException if a file cannot be read
     * @throws GeneralSecurityException in one sentence, if what it holds is of no use
     */
    SSLContext make() throws IOException, GeneralSecurityException;
  }

  private final Maker maker;
  private final AtomicReference<SSLContext> context;
  private final Identities identities;
  private final ClientAuthorities authorities;
  private final SSLParameters parameters;
  private final Tls settings;
  private final TlsProvider provider;
  private final boolean outsideTheHeap;
  private final Thread watcher;
  private final AtomicBoolean closed = new AtomicBoolean();

  // The thread that makes this, then the watcher.
  private final ExpiryWarning expiry = new ExpiryWarning();
  private String lastFault = "";

  /**
   * Makes the first context.
   *
   * @param identities what is looked after here; {@code null} for keys from elsewhere
   * @param authorities the same of clients; {@code null} if there are none, or from elsewhere
   */
  TlsContext(
      Maker maker,
      Identities identities,
      ClientAuthorities authorities,
      Tls settings,
      TlsProvider provider)
      throws IOException, GeneralSecurityException {
    SSLContext first = maker.make();
    this.maker = maker;
    this.context = new AtomicReference<>(first);
    this.identities = identities;
    this.authorities = authorities;
    this.settings = settings;
    this.provider = provider;
    this.outsideTheHeap = !first.getProvider().getName().equals(JDK_PROVIDER);
    this.parameters = parametersOf(first, settings);
    warnOfExpiry();
    boolean watches = identities != null || authorities != null;
    this.watcher = watches ? watch() : null;
  }

  private static SSLParameters parametersOf(SSLContext context, Tls settings) {
    SSLParameters parameters = context.getDefaultSSLParameters();
    Set<String> supported = Set.of(context.getSupportedSSLParameters().getProtocols());
    parameters.setProtocols(
        Arrays.stream(PROTOCOLS).filter(supported::contains).toArray(String[]::new));
    parameters.setCipherSuites(
        Arrays.stream(parameters.getCipherSuites())
            .filter(TlsContext::isStrong)
            .toArray(String[]::new));
    parameters.setUseCipherSuitesOrder(true);
    parameters.setApplicationProtocols(new String[] {H2, HTTP_1_1});
    switch (settings.clientCertificates()) {
      case REQUIRED -> parameters.setNeedClientAuth(true);
      case OPTIONAL -> parameters.setWantClientAuth(true);
      case NONE -> {
        // nobody is asked
      }
    }
    return parameters;
  }

  /**
   * TLS 1.3 has no others; of TLS 1.2 those with an ephemeral key exchange and authenticated
   * encryption, which are also those that HTTP/2 allows (RFC 9113, 9.2.2).
   */
  private static boolean isStrong(String suite) {
    boolean tls13 = suite.startsWith("TLS_AES_") || suite.startsWith("TLS_CHACHA20_");
    boolean aead = suite.contains("_GCM_") || suite.contains("_CHACHA20_POLY1305_");
    return tls13 || (suite.startsWith("TLS_ECDHE_") && aead && !suite.contains("_anon_"));
  }

  /** An engine for one connection. */
  SSLEngine newEngine() {
    SSLEngine engine = context.get().createSSLEngine();
    engine.setUseClientMode(false);
    engine.setSSLParameters(parameters);
    provider.prepare(engine);
    return engine;
  }

  /**
   * Whether engines hold more than objects, so that each must be closed in both directions. The
   * JDK's do not, and would take a missing close_notify for a fault.
   */
  boolean outsideTheHeap() {
    return outsideTheHeap;
  }

  /**
   * The first of our protocols that a client offers; {@code null}, which is answered by the alert
   * no_application_protocol, if there is none (RFC 7301, 3.2).
   */
  static String selected(List<String> offered) {
    return offered.contains(H2) ? H2 : offered.contains(HTTP_1_1) ? HTTP_1_1 : null;
  }

  boolean plaintextAllowed() {
    return settings.plaintextAllowed();
  }

  boolean http2WithoutAlpn() {
    return settings.http2WithoutAlpn();
  }

  /** When the first certificate expires; {@link Instant#MAX} if that is not known. */
  Instant notAfter() {
    return identities == null ? Instant.MAX : identities.notAfter();
  }

  private Thread watch() {
    boolean reloads = !settings.reloadInterval().isZero();
    Duration interval = reloads ? settings.reloadInterval() : EXPIRY_LOOK;
    Thread thread =
        new Thread(() -> lookEvery(interval.toNanos(), reloads), "peregrine-certificates");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void lookEvery(long nanos, boolean reloads) {
    while (!closed.get()) {
      LockSupport.parkNanos(nanos);
      if (reloads) {
        look();
      }
      warnOfExpiry();
    }
  }

  /** Takes new files, and says what came of it: once for each fault. */
  private void look() {
    String fault = faultOf(this::takeIdentities);
    // One that is broken must not keep the other from being renewed.
    fault += faultOf(this::takeAuthorities);
    if (!fault.isEmpty() && !fault.equals(lastFault)) {
      Log.warn("the certificates in use stay, as the new ones are of no use: " + fault);
    }
    lastFault = fault;
  }

  /** Something that takes new files. */
  private interface Taking {
    void run() throws IOException, GeneralSecurityException;
  }

  private static String faultOf(Taking taking) {
    try {
      taking.run();
      return "";
    } catch (Exception | Error e) {
      // An error, too: nobody would notice that this thread has ended, until a certificate has.
      return e.getMessage() == null ? e.toString() : e.getMessage();
    }
  }

  private void takeIdentities() throws IOException, GeneralSecurityException {
    if (identities != null && identities.reload()) {
      Log.info("new certificates are used, until " + identities.notAfter());
    }
  }

  private void takeAuthorities() throws IOException, GeneralSecurityException {
    if (authorities != null && authorities.changed()) {
      // A new context rather than a new trust manager: it knows no session of the old one, so who
      // is trusted no more cannot resume.
      context.set(maker.make());
      Log.info("new authorities for client certificates are used");
    }
  }

  private void warnOfExpiry() {
    if (identities != null) {
      String line = expiry.due(identities.notAfter(), Instant.now());
      if (line != null) {
        Log.warn(line);
      }
    }
  }

  @Override
  public void close() {
    closed.set(true);
    if (watcher != null) {
      LockSupport.unpark(watcher);
    }
  }
}
