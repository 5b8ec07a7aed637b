package dev.peregrine.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Where a server listens, and what is spoken there. Filled by one thread, then any thread. */
final class Sites {

  /**
   * What is listened at.
   *
   * @param address {@code null} for a path of the file system
   */
  private record Site(
      InetSocketAddress address, List<ServerSocketChannel> sockets, TlsContext tls) {}

  private final List<Site> sites = new ArrayList<>();
  private final List<UnixSocket> unixSockets = new ArrayList<>();
  private final IdentityHashMap<Tls, TlsContext> contexts = new IdentityHashMap<>();

  /**
   * Binds an address.
   *
   * @param tls what is spoken, or {@code null} for plaintext
   * @throws ServerStartException in one sentence, if the address or the certificates cannot be had
   */
  void bind(InetSocketAddress address, Tls tls, int count, int backlog, boolean reusePort)
      throws IOException {
    TlsContext context = tls == null ? null : contexts.computeIfAbsent(tls, Tls::open);
    List<ServerSocketChannel> sockets = ListenSockets.bind(address, count, backlog, reusePort);
    InetSocketAddress real = (InetSocketAddress) sockets.get(0).getLocalAddress();
    sites.add(new Site(real, sockets, context));
  }

  /**
   * Binds a path of the file system.
   *
   * @throws ServerStartException in one sentence, if it cannot be had
   */
  void bind(Path path, Set<PosixFilePermission> permissions, int backlog) {
    UnixSocket socket = UnixSocket.bind(path, permissions, backlog);
    unixSockets.add(socket);
    sites.add(new Site(null, List.of(socket.channel()), null));
  }

  /** Has the loops accept, each from a socket of its own where there are so many. */
  void listen(List<EventLoop> loops, ConnectionBudget budget) throws IOException {
    for (Site site : sites) {
      for (int i = 0; i < site.sockets.size(); i++) {
        EventLoop loop = loops.get(i);
        loop.add(new Listener(site.sockets.get(i), loop, loops, budget, site.tls));
      }
    }
  }

  /** The internet addresses, in the order in which they were bound, with their real ports. */
  List<InetSocketAddress> addresses() {
    return sites.stream().map(Site::address).filter(Objects::nonNull).toList();
  }

  /** When the first certificate in use expires; {@link Instant#MAX} if none is known. */
  Instant notAfter() {
    return contexts.values().stream()
        .map(TlsContext::notAfter)
        .min(Instant::compareTo)
        .orElse(Instant.MAX);
  }

  /** Frees everything, for a server that did not start. */
  void close() {
    sites.forEach(site -> site.sockets.forEach(ListenSockets::closeQuietly));
    ended();
  }

  /** Nobody accepts any more: removes files of sockets, stops looking for new certificates. */
  void ended() {
    unixSockets.forEach(UnixSocket::remove);
    contexts.values().forEach(TlsContext::close);
  }
}
