package dev.peregrine.server;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A running server. Any thread.
 *
 * <pre>{@code
 * Server.builder().port(50051).add(new Greeter()).start().awaitTermination();
 * }</pre>
 *
 * <p>Its event loops are not daemon threads: a JVM with a running server goes on until {@link
 * #stop} or SIGTERM.
 */
public final class Server implements AutoCloseable {

  /** How long a hard end may take: no connection is waited for any more, only the loops. */
  private static final long ABORT_NANOS = 5_000_000_000L;

  private final Sites sites;
  private final List<InetSocketAddress> addresses;
  private final List<EventLoop> loops;
  private final Shutdown shutdown;
  private final SharedState shared;
  private final Duration grace;
  private TermHook hook;

  Server(Sites sites, List<EventLoop> loops, SharedState shared, Duration grace) {
    this.sites = sites;
    this.addresses = sites.addresses();
    this.loops = List.copyOf(loops);
    this.shared = shared;
    this.shutdown = shared.shutdown();
    this.grace = grace;
  }

  /** A builder with nothing to serve yet. */
  public static ServerBuilder builder() {
    return new ServerBuilder();
  }

  /**
   * The port of the first address, e.g. the one chosen by the system for port 0.
   *
   * @throws IllegalStateException if the server listens at paths of the file system only
   */
  public int port() {
    if (addresses.isEmpty()) {
      throw new IllegalStateException("this server has no port");
    }
    return addresses.get(0).getPort();
  }

  /**
   * The internet addresses listened on, in the order in which they were given, with their real
   * ports.
   */
  public List<InetSocketAddress> addresses() {
    return addresses;
  }

  /**
   * When the first of the certificates in use expires, new ones that were read since included;
   * empty if the server has none, or does not read them itself.
   */
  public Optional<Instant> certificateExpiry() {
    Instant end = sites.notAfter();
    return end.equals(Instant.MAX) ? Optional.empty() : Optional.of(end);
  }

  /** The number of open connections. */
  public int connections() {
    return shared.budget().open();
  }

  /** What the server has at this moment, and how often its limits did their work. */
  public ServerCounts counts() {
    int handshakes = 0;
    int calls = 0;
    for (EventLoop loop : loops) {
      handshakes += loop.handshakes();
      calls += loop.openCalls();
    }
    return new ServerCounts(
        shared.budget().open(),
        shared.budget().admitted(),
        handshakes,
        calls,
        Math.max(0, shared.queued().total()),
        shared.watch().reached());
  }

  /**
   * Ends the server in good order: tells services that want to know (see {@link
   * dev.peregrine.rpc.ServerLifecycle}), stops accepting, tells every client to send new calls
   * elsewhere (GOAWAY), finishes the calls it has, and cuts what is left when the grace is over.
   * Returns when all of that is done; idle connections take well below a second.
   *
   * <p>May be called again, also with a shorter grace, which begins when the server drains: who is
   * more patient than the {@link ServerBuilder#drainDelay} takes waits for it, others end it.
   * Called by a handler on an event loop it returns at once, since that loop is needed for the
   * rest. An interrupt ends the grace.
   */
  public void stop(Duration grace) {
    if (loops.stream().anyMatch(EventLoop::inLoop)) {
      new Thread(() -> end(grace), "peregrine-stop").start();
    } else {
      end(grace);
    }
  }

  private void end(Duration grace) {
    boolean interrupted = false;
    try {
      shutdown.begin(nanosOf(grace));
      if (!shutdown.await(nanosOf(grace))) {
        Log.info("grace of " + grace + " is over: closing " + connections() + " connections");
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    shutdown.abort();
    try {
      if (!shutdown.await(ABORT_NANOS)) {
        Log.warn("an event loop does not end: does a handler block it?");
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (hook != null) {
      hook.remove();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static long nanosOf(Duration duration) {
    try {
      return Math.max(0, duration.toNanos());
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE; // 292 years and more
    }
  }

  /** {@link #stop} with the grace the server was built with. */
  @Override
  public void close() {
    stop(grace);
  }

  /** Waits until the server has ended, whoever ends it. */
  public void awaitTermination() throws InterruptedException {
    shutdown.await();
  }

  /** Whether the server has ended. */
  public boolean isTerminated() {
    return shutdown.ended();
  }

  /** Has SIGTERM drain this server. */
  void installTermHook() {
    hook =
        TermHook.install(
            () -> {
              Log.info("the JVM is asked to end: draining");
              close();
            });
  }
}
