package dev.peregrine.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Options of sockets. Immutable, any thread.
 *
 * @param receiveBytes of the kernel's buffer, 0 for its own choice
 * @param sendBytes the same
 * @param keepsAlive whether TCP probes silent connections
 */
record ConnectionOptions(int receiveBytes, int sendBytes, boolean keepsAlive) {

  /** The system's own choice. */
  static final ConnectionOptions STANDARD = new ConnectionOptions(0, 0, false);

  /** Sets what must be there before a socket listens: the window is agreed upon in the SYN. */
  void applyTo(ServerSocketChannel channel) throws IOException {
    if (receiveBytes > 0) {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, receiveBytes);
    }
  }

  /** Sets the options of an accepted connection. */
  void applyTo(SocketChannel channel, SocketAddress peer) throws IOException {
    if (sendBytes > 0) {
      channel.setOption(StandardSocketOptions.SO_SNDBUF, sendBytes);
    }
    if (peer instanceof InetSocketAddress) {
      // Replies are written whole, so waiting for more bytes would only delay them.
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      if (keepsAlive) {
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      }
    }
  }
}
