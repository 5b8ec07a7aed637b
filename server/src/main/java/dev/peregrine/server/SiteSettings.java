package dev.peregrine.server;

import java.net.SocketAddress;

/**
 * What the connections of one listening socket have in common. Immutable, any thread.
 *
 * @param tls what is spoken, or {@code null} for plaintext
 * @param proxies who is expected to send a header of the PROXY protocol; {@code null} for nobody
 * @param served what can be had there
 * @param options of accepted sockets
 */
record SiteSettings(
    TlsContext tls, Networks proxies, ServedNames served, ConnectionOptions options) {

  /** Plaintext, from the peer itself. */
  static final SiteSettings PLAIN =
      new SiteSettings(null, null, ServedNames.ALL, ConnectionOptions.STANDARD);

  /** Whether a peer speaks for others. */
  boolean trusts(SocketAddress peer) {
    return proxies != null && proxies.contains(peer);
  }
}
