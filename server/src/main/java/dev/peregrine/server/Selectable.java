package dev.peregrine.server;

/** What a selection key leads to. Loop-confined. */
interface Selectable {

  /**
   * The socket is ready. Handles every exception itself.
   *
   * @param readyOps as {@link java.nio.channels.SelectionKey#readyOps} has them
   */
  void ready(int readyOps);
}
