package dev.peregrine.server;

import dev.peregrine.rpc.protocol.LogLimit;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;

/**
 * Accepts connections for the loop it belongs to, or for a neighbour that has fewer. Loop-confined.
 */
final class Listener implements Selectable {

  /** Connections accepted per turn: those that are open already should not wait much longer. */
  private static final int ACCEPTS_PER_TURN = 64;

  /** When no file descriptor is left, the kernel reports the socket ready without end. */
  private static final long PAUSE_NANOS = 100_000_000L;

  private final ServerSocketChannel channel;
  private final EventLoop loop;
  private final List<EventLoop> loops;
  private final ConnectionBudget budget;
  private final SiteSettings settings;
  private final LogLimit failureLog = new LogLimit();
  private SelectionKey key;
  private long resumeNanos = Long.MAX_VALUE;

  /**
   * A listener which is not registered yet.
   *
   * @param channel bound
   * @param loop where it accepts
   * @param loops all that may get a connection
   */
  Listener(
      ServerSocketChannel channel,
      EventLoop loop,
      List<EventLoop> loops,
      ConnectionBudget budget,
      SiteSettings settings) {
    this.channel = channel;
    this.loop = loop;
    this.loops = loops;
    this.budget = budget;
    this.settings = settings;
  }

  void register(Selector selector) throws IOException {
    channel.configureBlocking(false);
    key = channel.register(selector, SelectionKey.OP_ACCEPT, this);
  }

  @Override
  public void ready(int readyOps) {
    try {
      boolean more = true;
      for (int i = 0; i < ACCEPTS_PER_TURN && more; i++) {
        more = acceptOne();
      }
    } catch (IOException | RuntimeException | Error e) {
      pause(e);
    }
  }

  private boolean acceptOne() throws IOException {
    SocketChannel accepted = channel.accept();
    if (accepted == null) {
      return false;
    }
    boolean admitted = false;
    try {
      admitted = admit(accepted);
    } catch (IOException e) {
      // Reset by the peer before we came to it: no reason to accept others later.
      Log.debug("a connection was lost before it began", e);
    } finally {
      if (!admitted) {
        accepted.close();
      }
    }
    return true;
  }

  private boolean admit(SocketChannel accepted) throws IOException {
    SocketAddress peer = accepted.getRemoteAddress();
    accepted.configureBlocking(false);
    settings.options().applyTo(accepted, peer);
    // Those who speak for others are not counted by their own address.
    if (!budget.admit(peer, !settings.trusts(peer), loop.nowNanos())) {
      return false;
    }
    EventLoop target = leastLoaded();
    target.load().incrementAndGet();
    if (target == loop) {
      loop.adopt(accepted, peer, settings);
    } else {
      target.execute(() -> target.adopt(accepted, peer, settings));
    }
    return true;
  }

  /**
   * The loop with the fewest connections, this one if it is among them. The kernel spreads
   * connections over the sockets of one port by a hash, which is far from even while there are few.
   */
  private EventLoop leastLoaded() {
    EventLoop best = loop;
    int least = loop.load().get();
    for (int i = 0; i < loops.size(); i++) {
      int load = loops.get(i).load().get();
      if (load < least) {
        best = loops.get(i);
        least = load;
      }
    }
    return best;
  }

  private void pause(Throwable e) {
    resumeNanos = loop.nowNanos() + PAUSE_NANOS;
    key.interestOps(0);
    if (failureLog.permits(loop.nowNanos())) {
      Log.warn("cannot accept connections: " + e + failureLog.takeSuppressed());
    }
  }

  /** When {@link #resume} has something to do, or {@link Long#MAX_VALUE}. */
  long resumeNanos() {
    return resumeNanos;
  }

  /** Accepts again if a pause is over. */
  void resume(long nowNanos) {
    if (resumeNanos != Long.MAX_VALUE && resumeNanos - nowNanos <= 0) {
      resumeNanos = Long.MAX_VALUE;
      key.interestOps(SelectionKey.OP_ACCEPT);
    }
  }

  /** Takes the key away, so that {@link #close} can close the socket at once. */
  void unregister() {
    key.cancel();
  }

  /**
   * Accepts what the kernel has accepted already and closes the socket right after, so that hardly
   * anybody is turned away. The selector must have run since {@link #unregister}.
   */
  void close() {
    try (channel) {
      boolean more = true;
      while (more) {
        more = acceptOne();
      }
    } catch (IOException | RuntimeException | Error e) {
      Log.warn("cannot accept the last connections", e);
    }
  }
}
