package dev.peregrine.server;

import dev.peregrine.rpc.protocol.LogLimit;
import dev.peregrine.rpc.protocol.LogText;
import java.net.SocketAddress;

/**
 * Peers that knock in a language not spoken here: scanners, TLS to a plain port. One line for a
 * person, never a stack trace, and at most one a second of each kind. Any thread.
 */
final class KnockLog {

  /** Names of proxies' sockets and texts of TLS libraries end far below. */
  private static final int MAX_CHARS = 400;

  private final LogLimit tls = new LogLimit();
  private final LogLimit unknown = new LogLimit();
  private final LogLimit plaintext = new LogLimit();
  private final LogLimit handshake = new LogLimit();
  private final LogLimit withoutAlpn = new LogLimit();
  private final LogLimit proxy = new LogLimit();

  void tls(SocketAddress peer, long nowNanos) {
    log(tls, nowNanos, peer + " spoke TLS to a plaintext port: closed");
  }

  void unknown(SocketAddress peer, long nowNanos) {
    log(unknown, nowNanos, peer + " spoke no protocol that is known here: closed");
  }

  void plaintext(SocketAddress peer, long nowNanos) {
    log(plaintext, nowNanos, peer + " spoke plaintext to a TLS port: closed");
  }

  void handshake(SocketAddress peer, String fault, long nowNanos) {
    log(handshake, nowNanos, "TLS with " + peer + " failed: " + fault);
  }

  void withoutAlpn(SocketAddress peer, long nowNanos) {
    log(
        withoutAlpn,
        nowNanos,
        peer + " spoke HTTP/2 over TLS without naming it in the handshake (ALPN): closed");
  }

  void proxy(SocketAddress peer, String fault, long nowNanos) {
    log(proxy, nowNanos, "closed the connection of " + peer + ": " + fault);
  }

  void proxyNotExpected(SocketAddress peer, long nowNanos) {
    log(proxy, nowNanos, peer + " sent a PROXY header to a port that expects none: closed");
  }

  private static void log(LogLimit limit, long nowNanos, String line) {
    if (limit.permits(nowNanos)) {
      Log.info(LogText.line(line, MAX_CHARS) + limit.takeSuppressed());
    }
  }
}
