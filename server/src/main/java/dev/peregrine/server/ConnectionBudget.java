package dev.peregrine.server;

import dev.peregrine.rpc.Limit;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the connections of a server against its limits. Any thread. */
final class ConnectionBudget {

  private final int maxConnections;
  private final int maxPerAddress;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong admitted = new AtomicLong();
  private final ConcurrentHashMap<InetAddress, Integer> perAddress = new ConcurrentHashMap<>();
  private final ServerWatch watch;

  ConnectionBudget(int maxConnections, int maxPerAddress, ServerWatch watch) {
    this.maxConnections = maxConnections;
    this.maxPerAddress = maxPerAddress;
    this.watch = watch;
  }

  /**
   * Takes a place for a connection; false, with a line in the log, if there is none.
   *
   * @param byAddress whether to count it by its address, too
   */
  boolean admit(SocketAddress peer, boolean byAddress, long nowNanos) {
    if (open.incrementAndGet() > maxConnections) {
      open.decrementAndGet();
      refuse(
          Limit.CONNECTIONS,
          peer,
          "there are " + maxConnections + " already (maxConnections)",
          nowNanos);
      return false;
    }
    if (byAddress && !admitAddress(peer, nowNanos)) {
      open.decrementAndGet();
      return false;
    }
    admitted.incrementAndGet();
    return true;
  }

  /** The number of connections that were ever admitted. */
  long admitted() {
    return admitted.get();
  }

  /** Counts a connection that has its place by an address, too; false if that has too many. */
  boolean admitAddress(SocketAddress peer, long nowNanos) {
    InetAddress address = counted(peer);
    if (address != null && perAddress.merge(address, 1, Integer::sum) > maxPerAddress) {
      releaseAddress(address);
      refuse(
          Limit.CONNECTIONS_PER_ADDRESS,
          peer,
          "it has " + maxPerAddress + " already (maxConnectionsPerAddress)",
          nowNanos);
      return false;
    }
    return true;
  }

  /**
   * Gives the place of a connection back.
   *
   * @param peer the address it was counted by, or {@code null}
   */
  void release(SocketAddress peer) {
    open.decrementAndGet();
    InetAddress address = counted(peer);
    if (address != null) {
      releaseAddress(address);
    }
  }

  private void releaseAddress(InetAddress address) {
    perAddress.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1);
  }

  /** The number of open connections. */
  int open() {
    return open.get();
  }

  /** What to count by; {@code null} where single addresses are not limited. */
  private InetAddress counted(SocketAddress peer) {
    return maxPerAddress < maxConnections && peer instanceof InetSocketAddress inet
        ? inet.getAddress()
        : null;
  }

  private void refuse(Limit limit, SocketAddress peer, String why, long nowNanos) {
    watch.limitReached(limit, peer, "refused a connection: " + why, true, nowNanos);
  }
}
