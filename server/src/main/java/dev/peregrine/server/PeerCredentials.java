package dev.peregrine.server;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.security.Principal;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;

/** Who is at the other end of a Unix domain socket (SO_PEERCRED). Any thread. */
final class PeerCredentials {

  private PeerCredentials() {}

  /** The user, or {@code null} if the system does not say. */
  static Principal user(SocketChannel channel) {
    UnixDomainPrincipal both = of(channel);
    return both == null ? null : both.user();
  }

  /** The group, or {@code null} if the system does not say. */
  static Principal group(SocketChannel channel) {
    UnixDomainPrincipal both = of(channel);
    return both == null ? null : both.group();
  }

  private static UnixDomainPrincipal of(SocketChannel channel) {
    if (!channel.supportedOptions().contains(ExtendedSocketOptions.SO_PEERCRED)) {
      return null; // no Unix domain socket, or a system without
    }
    try {
      return channel.getOption(ExtendedSocketOptions.SO_PEERCRED);
    } catch (IOException e) {
      Log.debug("the credentials of a peer are not known", e);
      return null;
    }
  }
}
