package dev.peregrine.server;

import java.net.SocketAddress;

/**
 * What the header of the PROXY protocol says. Immutable, any thread.
 *
 * @param source the client's address, or {@code null} if it is not said
 * @param destination what the client connected to; {@code null} together with the source
 * @param relayed whether the connection is a client's, of whom nothing is known but what is said
 *     here; else it is the proxy's own
 * @param length of the header in bytes: what follows is the client's
 */
record ProxyHeader(SocketAddress source, SocketAddress destination, boolean relayed, int length) {

  /** A client at these addresses. */
  static ProxyHeader of(SocketAddress source, SocketAddress destination, int length) {
    return new ProxyHeader(source, destination, true, length);
  }

  /** A client whose addresses are not said: those of the socket are shown instead. */
  static ProxyHeader withoutAddresses(int length) {
    return new ProxyHeader(null, null, true, length);
  }

  /** No client: those at the socket's other end speak for themselves. */
  static ProxyHeader own(int length) {
    return new ProxyHeader(null, null, false, length);
  }
}
