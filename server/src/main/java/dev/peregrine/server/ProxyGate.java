package dev.peregrine.server;

import java.io.IOException;
import java.util.Arrays;

/**
 * Stands before a connection on a port where proxies are expected, until it is known for whom the
 * connection is. Loop-confined.
 *
 * <p>A trusted peer must begin with a header of the PROXY protocol: one that may be left out could
 * be sent by the client behind it. Any other peer must not, as it would be a lie about who it is.
 */
final class ProxyGate {

  private static final byte[] NONE = {};

  private final SocketHandler socket;
  private final boolean trusted;
  private byte[] held = NONE;

  ProxyGate(SocketHandler socket, boolean trusted) {
    this.socket = socket;
    this.trusted = trusted;
  }

  /** Takes what was read, and lets the rest pass once all is known. */
  void receive(byte[] bytes, int length) throws IOException {
    byte[] first = Arrays.copyOf(held, held.length + length);
    System.arraycopy(bytes, 0, first, held.length, length);
    held = first;
    try {
      ProxyHeader header = trusted ? ProxyProtocol.parse(first, first.length) : none(first);
      if (header != null) {
        held = NONE;
        socket.onProxied(header, first);
      }
    } catch (ProxyHeaderException e) {
      held = NONE;
      socket.onProxyFault(e.getMessage());
    }
  }

  private static ProxyHeader none(byte[] first) throws ProxyHeaderException {
    return switch (ProxyProtocol.start(first, first.length)) {
      case UNDECIDED -> null;
      case NONE -> ProxyHeader.own(0);
      case V1, V2 ->
          throw new ProxyHeaderException("it sent a PROXY header, but is not trusted to");
    };
  }
}
