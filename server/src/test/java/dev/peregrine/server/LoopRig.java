package dev.peregrine.server;

import dev.peregrine.wire.Connection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Event loops on a loopback port, with engines of the test's choice. */
final class LoopRig implements AutoCloseable {

  static final int TIMEOUT_MILLIS = 20_000;

  final List<EventLoop> loops = new ArrayList<>();
  final ConnectionBudget budget;
  final Shutdown shutdown;
  final int port;

  private static final ServerWatch QUIET = new ServerWatch(List.of());

  static ConnectionBudget budget(int connections, int perAddress) {
    return new ConnectionBudget(connections, perAddress, QUIET);
  }

  LoopRig(Function<SocketHandler, Connection> engines) {
    this(1, 0, budget(100_000, 100_000), engines);
  }

  LoopRig(
      int count,
      long spinNanos,
      ConnectionBudget budget,
      Function<SocketHandler, Connection> engines) {
    this.budget = budget;
    this.shutdown = new Shutdown(loops, count, () -> {}, 0, () -> {});
    SharedState shared =
        new SharedState(budget, shutdown, QUIET, new QueuedBytes(1 << 30, () -> {}), 100);
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    List<ServerSocketChannel> sockets =
        ListenSockets.bind(address, SiteSettings.PLAIN.options(), count, 4096, false);
    try {
      port = ((InetSocketAddress) sockets.get(0).getLocalAddress()).getPort();
      for (int i = 0; i < count; i++) {
        loops.add(new EventLoop(i, spinNanos, shared));
        loops
            .get(i)
            .add(new Listener(sockets.get(i), loops.get(i), loops, budget, SiteSettings.PLAIN));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    for (EventLoop loop : loops) {
      loop.start(new RigEngines(engines));
    }
  }

  private record RigEngines(Function<SocketHandler, Connection> engines) implements Engines {
    @Override
    public Connection open(SocketHandler socket, SiteSettings settings, long nowNanos) {
      return engines.apply(socket);
    }

    @Override
    public KnockLog knocks() {
      return new KnockLog();
    }

    @Override
    public int openCalls() {
      return 0;
    }

    @Override
    public void burstEnded() {
      // no calls here
    }
  }

  /** A client whose reads fail rather than hang. */
  Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    return socket;
  }

  /** Drains, and says whether everything ended in time. */
  boolean drain(long millis) throws InterruptedException {
    shutdown.begin(0);
    return shutdown.await(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  @Override
  public void close() {
    try {
      shutdown.begin(0);
      shutdown.abort();
      if (!shutdown.await(TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS))) {
        throw new AssertionError("the loops did not end");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
