package dev.peregrine.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Binds the sockets of one listen address: one per event loop where the system can do it. */
final class ListenSockets {

  private ListenSockets() {}

  /**
   * Binds an address.
   *
   * @param options set before they listen
   * @param count how many sockets would be of use
   * @param backlog connections the kernel keeps until they are accepted
   * @param reusePort whether other processes may bind the port, too
   * @return the sockets: {@code count}, or one where SO_REUSEPORT is not supported
   * @throws ServerStartException if the address cannot be had
   */
  static List<ServerSocketChannel> bind(
      InetSocketAddress address,
      ConnectionOptions options,
      int count,
      int backlog,
      boolean reusePort) {
    if (address.isUnresolved()) {
      throw new ServerStartException(
          "host " + address.getHostString() + " is not known, so it cannot be listened on", null);
    }
    List<ServerSocketChannel> sockets = new ArrayList<>();
    boolean bound = false;
    try {
      boolean shared = reusePort || count > 1;
      ServerSocketChannel first = open(sockets, options);
      if (shared && first.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)) {
        if (!reusePort && address.getPort() != 0) {
          probe(address);
        }
        first.setOption(StandardSocketOptions.SO_REUSEPORT, true);
        first.bind(address, backlog);
        int port = ((InetSocketAddress) first.getLocalAddress()).getPort();
        bindMore(
            sockets, options, new InetSocketAddress(address.getAddress(), port), count, backlog);
      } else {
        first.bind(address, backlog);
      }
      bound = true;
      return sockets;
    } catch (IOException e) {
      throw new ServerStartException(sentence(address, e), e);
    } finally {
      if (!bound) {
        sockets.forEach(ListenSockets::closeQuietly);
      }
    }
  }

  private static void bindMore(
      List<ServerSocketChannel> sockets,
      ConnectionOptions options,
      InetSocketAddress address,
      int count,
      int backlog)
      throws IOException {
    for (int i = 1; i < count; i++) {
      ServerSocketChannel next = open(sockets, options);
      next.setOption(StandardSocketOptions.SO_REUSEPORT, true);
      next.bind(address, backlog);
    }
  }

  private static ServerSocketChannel open(
      List<ServerSocketChannel> sockets, ConnectionOptions options) throws IOException {
    ServerSocketChannel socket = ServerSocketChannel.open();
    sockets.add(socket);
    options.applyTo(socket);
    return socket;
  }

  /**
   * Fails if somebody listens already, which SO_REUSEPORT would hide: two servers would share the
   * port by accident, each getting a part of the calls. The socket never listens, so that nobody
   * can connect to it.
   */
  private static void probe(InetSocketAddress address) throws IOException {
    try (SocketChannel socket = SocketChannel.open()) {
      // As a server's socket has it: connections of a predecessor in TIME_WAIT do not count.
      socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      socket.bind(address);
    }
  }

  static String sentence(InetSocketAddress address, IOException e) {
    String where = "port " + address.getPort();
    InetAddress ip = address.getAddress();
    if (!ip.isAnyLocalAddress()) {
      where += " on " + ip.getHostAddress();
    }
    // The JDK has no types for these; the texts are the system's, which the JDK asks for in
    // English.
    String reason = String.valueOf(e.getMessage());
    if (reason.contains("in use")) {
      return where + " is taken by another process";
    }
    if (reason.contains("ermission")) {
      return "no permission to listen on " + where;
    }
    if (reason.contains("assign requested address")) {
      return "no interface of this machine has the address " + ip.getHostAddress();
    }
    return "cannot listen on " + where + ": " + reason;
  }

  static void closeQuietly(ServerSocketChannel socket) {
    try {
      socket.close();
    } catch (IOException e) {
      Log.debug("closing a listening socket failed", e);
    }
  }
}
