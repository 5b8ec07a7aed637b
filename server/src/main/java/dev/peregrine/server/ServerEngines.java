package dev.peregrine.server;

import dev.peregrine.rpc.protocol.Router;
import dev.peregrine.wire.Connection;
import dev.peregrine.wire.http2.Http2Limits;

/** What the sockets of one of a server's loops lead to. Loop-confined. */
final class ServerEngines implements Engines {

  private final Router router;
  private final Http2Limits limits;
  private final KnockLog knocks;

  ServerEngines(Router router, Http2Limits limits, KnockLog knocks) {
    this.router = router;
    this.limits = limits;
    this.knocks = knocks;
  }

  @Override
  public Connection open(SocketHandler socket, long nowNanos) {
    return new UndecidedConnection(socket, router, limits, knocks, nowNanos);
  }

  @Override
  public void burstEnded() {
    router.burstEnded();
  }
}
