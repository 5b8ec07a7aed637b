package dev.peregrine.server;

import dev.peregrine.rpc.protocol.Router;
import dev.peregrine.wire.Connection;
import dev.peregrine.wire.http1.DateField;

/** What the sockets of one of a server's loops lead to. Loop-confined. */
final class ServerEngines implements Engines {

  private final Router router;
  private final EngineSettings settings;
  private final DateField date;
  private final KnockLog knocks;

  ServerEngines(Router router, EngineSettings settings, EventLoop loop, KnockLog knocks) {
    this.router = router;
    this.settings = settings;
    this.date = settings.sendsDate() ? new DateLine(loop) : null;
    this.knocks = knocks;
  }

  @Override
  public Connection open(SocketHandler socket, long nowNanos) {
    return new UndecidedConnection(socket, router, settings, date, knocks, nowNanos);
  }

  @Override
  public KnockLog knocks() {
    return knocks;
  }

  @Override
  public void burstEnded() {
    router.burstEnded();
  }
}
