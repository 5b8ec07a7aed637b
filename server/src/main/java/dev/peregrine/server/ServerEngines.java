package dev.peregrine.server;

import dev.peregrine.rpc.protocol.Router;
import dev.peregrine.wire.Connection;
import dev.peregrine.wire.HttpHandler;
import dev.peregrine.wire.http1.DateField;
import java.util.Map;

/** What the sockets of one of a server's loops lead to. Loop-confined. */
final class ServerEngines implements Engines {

  private final Router router;
  private final Map<ServedNames, HttpHandler> handlers;
  private final EngineSettings settings;
  private final DateField date;
  private final KnockLog knocks;

  /**
   * Engines.
   *
   * @param handlers of requests, by what can be had where they arrive
   */
  ServerEngines(
      Router router,
      Map<ServedNames, HttpHandler> handlers,
      EngineSettings settings,
      EventLoop loop,
      KnockLog knocks) {
    this.router = router;
    this.handlers = Map.copyOf(handlers);
    this.settings = settings;
    this.date = settings.sendsDate() ? new DateLine(loop) : null;
    this.knocks = knocks;
  }

  @Override
  public Connection open(SocketHandler socket, SiteSettings site, long nowNanos) {
    HttpHandler handler = handlers.get(site.served());
    return new UndecidedConnection(socket, handler, settings, date, knocks, nowNanos);
  }

  @Override
  public KnockLog knocks() {
    return knocks;
  }

  @Override
  public int openCalls() {
    return router.openCalls();
  }

  @Override
  public void burstEnded() {
    router.burstEnded();
  }
}
