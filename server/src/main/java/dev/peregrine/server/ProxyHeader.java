package dev.peregrine.server;

import java.net.SocketAddress;

/**
 * What the header of the PROXY protocol says. Immutable, any thread.
 *
 * @param source the client's address, or {@code null} if the connection is the proxy's own
 * @param destination what the client connected to; {@code null} together with the source
 * @param length of the header in bytes: what follows is the client's
 */
record ProxyHeader(SocketAddress source, SocketAddress destination, int length) {

  /** A header without addresses: those of the socket count. */
  static ProxyHeader withoutAddresses(int length) {
    return new ProxyHeader(null, null, length);
  }
}
