package dev.peregrine.server;

import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;

/** The listening socket that a supervisor has given the process as its standard input. */
final class InheritedSocket {

  private InheritedSocket() {}

  /**
   * The socket, bound and listening.
   *
   * @throws ServerStartException in one sentence, if the standard input is something else
   */
  static ServerSocketChannel take() {
    try {
      Channel channel = System.inheritedChannel();
      if (channel instanceof ServerSocketChannel socket && socket.isOpen()) {
        return socket;
      }
      throw new ServerStartException("the standard input is no socket that listens", null);
    } catch (IOException e) {
      throw new ServerStartException("cannot take over the standard input: " + e.getMessage(), e);
    }
  }
}
