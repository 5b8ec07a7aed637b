package dev.peregrine.conformance;

import dev.peregrine.rpc.Execution;
import dev.peregrine.server.ConnectionLifetime;
import dev.peregrine.server.Server;
import dev.peregrine.server.ServerBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** A server with {@link Probe} on a free port. Any thread. */
final class ProbeServer implements AutoCloseable {

  /** A test that fails leaves calls behind; nobody waits for them. */
  private static final Duration GRACE = Duration.ofMillis(500);

  /** Tests wait for each other's frames by pings; what pings may not do has a test of its own. */
  private static final ConnectionLifetime ANY_PINGS =
      ConnectionLifetime.DEFAULTS.withPermitPing(Duration.ZERO, true);

  private final Probe probe = new Probe();
  private final Server server;

  private ProbeServer(UnaryOperator<ServerBuilder> options) throws IOException {
    ServerBuilder builder =
        Server.builder().port(0).add(probe).onTerm(false).grace(GRACE).lifetime(ANY_PINGS);
    server = options.apply(builder).start();
  }

  /** A server whose handlers run on the event loop. */
  static ProbeServer inline() throws IOException {
    return with(builder -> builder.execution(Execution.inline()));
  }

  /** A server with so many worker threads. */
  static ProbeServer workers(int threads) throws IOException {
    return with(builder -> builder.execution(Execution.workers(threads)));
  }

  /** A server with options of the test. */
  static ProbeServer with(UnaryOperator<ServerBuilder> options) throws IOException {
    return new ProbeServer(options);
  }

  /** A new connection after the exchange of settings. */
  RawClient connect() throws IOException {
    return RawClient.connect(port());
  }

  int port() {
    return server.port();
  }

  Server server() {
    return server;
  }

  /** How many calls have reached a handler so far. */
  int calls() {
    return probe.calls();
  }

  @Override
  public void close() {
    server.close();
  }
}
