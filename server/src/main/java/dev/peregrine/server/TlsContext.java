package dev.peregrine.server;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** Warned of this long before: a renewal that failed can still be repaired. */
  private static final Duration EXPIRY_WARNING = Duration.ofDays(14);

  private final SSLContext context;
  private final Identities identities;
  private final SSLParameters parameters;
  private final Tls settings;
  private final TlsProvider provider;
  private final boolean outsideTheHeap;
  private final Thread watcher;
  private final AtomicBoolean closed = new AtomicBoolean();
  private String lastFault = "";

  TlsContext(SSLContext context, Identities identities, Tls settings, TlsProvider provider) {
    this.context = context;
    this.identities = identities;
    this.settings = settings;
    this.provider = provider;
    this.outsideTheHeap = !context.getProvider().getName().equals(JDK_PROVIDER);
    this.parameters = parametersOf(context, settings);
    boolean watches = identities != null && !settings.reloadInterval().isZero();
    this.watcher = watches ? watch(settings.reloadInterval().toNanos()) : null;
    if (identities != null) {
      warnOfExpiry();
    }
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
    SSLEngine engine = context.createSSLEngine();
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

  private Thread watch(long nanos) {
    Thread thread = new Thread(() -> lookEvery(nanos), "peregrine-certificates");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void lookEvery(long nanos) {
    while (!closed.get()) {
      LockSupport.parkNanos(nanos);
      look();
    }
  }

  /** Takes new files, and says what came of it: once for each fault. */
  private void look() {
    try {
      if (identities.reload()) {
        Log.info("new certificates are used, until " + identities.notAfter());
        warnOfExpiry();
      }
      lastFault = "";
    } catch (Exception e) {
      String fault = String.valueOf(e.getMessage());
      if (!fault.equals(lastFault)) {
        lastFault = fault;
        Log.warn("the certificates in use stay, as the new ones are of no use: " + fault);
      }
    }
  }

  private void warnOfExpiry() {
    Instant end = identities.notAfter();
    if (end.isBefore(Instant.now().plus(EXPIRY_WARNING))) {
      Log.warn("a certificate expires at " + end);
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
