package dev.peregrine.server;

import dev.peregrine.wire.Connection;

/** What one loop's sockets lead to. Loop-confined. */
interface Engines {

  /** The engine that is to hear of a new socket's bytes. */
  Connection open(SocketHandler socket, SiteSettings settings, long nowNanos);

  /** Where peers are named that speak what they should not. */
  KnockLog knocks();

  /** The calls that have not ended. */
  int openCalls();

  /** The sockets that were ready have been read: what they began together can be handed over. */
  void burstEnded();
}
