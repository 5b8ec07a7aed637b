package dev.peregrine.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Where a server listens, and what is spoken there. Filled by one thread, then any thread. */
final class Sites {

  /**
   * What is listened at.
   *
   * @param address {@code null} where there is none, as for a path of the file system
   */
  private record Site(
      InetSocketAddress address, List<ServerSocketChannel> sockets, SiteSettings settings) {}

  private final List<Site> sites = new ArrayList<>();
  private final List<UnixSocket> unixSockets = new ArrayList<>();
  private final IdentityHashMap<Tls, TlsContext> contexts = new IdentityHashMap<>();

  /**
   * Binds a socket.
   *
   * @param tls of the server as a whole, or {@code null} for plaintext
   * @param count how many sockets would be of use
   * @param backlog of the server as a whole
   * @throws ServerStartException in one sentence, if the place or the certificates cannot be had
   */
  void bind(ListenSocket socket, Tls tls, int count, int backlog, boolean reusePort)
      throws IOException {
    Tls own = socket.tls(tls);
    TlsContext context = own == null ? null : contexts.computeIfAbsent(own, Tls::open);
    SiteSettings settings =
        new SiteSettings(context, socket.proxies(), socket.served(), socket.connectionOptions());
    int held = socket.backlog(backlog);
    List<ServerSocketChannel> sockets;
    if (socket.path() != null) {
      UnixSocket unix = UnixSocket.bind(socket.path(), socket.permissions(), held);
      unixSockets.add(unix);
      sockets = List.of(unix.channel());
    } else if (socket.inet() != null) {
      sockets = ListenSockets.bind(socket.inet(), settings.options(), count, held, reusePort);
    } else {
      sockets = List.of(InheritedSocket.take());
    }
    InetSocketAddress real =
        sockets.get(0).getLocalAddress() instanceof InetSocketAddress inet ? inet : null;
    sites.add(new Site(real, sockets, settings));
  }

  /** What can be had at the places, each once. */
  Set<ServedNames> served() {
    return sites.stream().map(site -> site.settings.served()).collect(Collectors.toSet());
  }

  /** Has the loops accept, each from a socket of its own where there are so many. */
  void listen(List<EventLoop> loops, ConnectionBudget budget) throws IOException {
    for (Site site : sites) {
      for (int i = 0; i < site.sockets.size(); i++) {
        EventLoop loop = loops.get(i);
        loop.add(new Listener(site.sockets.get(i), loop, loops, budget, site.settings));
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
