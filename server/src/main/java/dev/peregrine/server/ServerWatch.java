package dev.peregrine.server;

import dev.peregrine.rpc.ConnectionEnd;
import dev.peregrine.rpc.ConnectionStart;
import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.LimitReached;
import dev.peregrine.rpc.ServerObserver;
import dev.peregrine.rpc.protocol.LogLimit;
import dev.peregrine.rpc.protocol.LogText;
import dev.peregrine.rpc.protocol.Observers;
import java.net.SocketAddress;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a server tells of connections and limits: to its observers, its counters and its log. Any
 * thread.
 */
final class ServerWatch {

  /** Reasons are sentences of ours, but some quote what was wrong. */
  private static final int MAX_LINE_CHARS = 400;

  /** How often one limit has done its work, and how often the log says so. */
  private record LimitTally(AtomicLong count, LogLimit log) {}

  private final List<ServerObserver> observers;
  private final Map<Limit, LimitTally> reached = new EnumMap<>(Limit.class);

  ServerWatch(List<ServerObserver> observers) {
    this.observers = List.copyOf(observers);
    for (Limit limit : Limit.values()) {
      reached.put(limit, new LimitTally(new AtomicLong(), new LogLimit()));
    }
  }

  /** Whether anybody wants to hear of connections. */
  boolean observed() {
    return !observers.isEmpty();
  }

  /** A connection was admitted. */
  void opened(ConnectionStart start) {
    Observers.tell(observers, ServerObserver::connectionOpened, start);
  }

  /** A connection has ended. */
  void closed(ConnectionEnd end) {
    Observers.tell(observers, ServerObserver::connectionClosed, end);
  }

  /**
   * A limit has done its work.
   *
   * @param names whether the log should name it, rather than having done so for this peer already
   */
  void limitReached(Limit limit, SocketAddress peer, String reason, boolean names, long nowNanos) {
    LimitTally tally = reached.get(limit);
    tally.count.getAndIncrement();
    if (names && tally.log.permits(nowNanos)) {
      String line = "limit " + limit + " stopped " + peer + ": " + reason;
      Log.info(LogText.line(line, MAX_LINE_CHARS) + tally.log.takeSuppressed());
    }
    if (observed()) {
      Observers.tell(
          observers, ServerObserver::limitReached, new LimitReached(limit, peer, reason));
    }
  }

  /** How often each limit has done its work. */
  Map<Limit, Long> reached() {
    Map<Limit, Long> counts = new EnumMap<>(Limit.class);
    reached.forEach((limit, tally) -> counts.put(limit, tally.count.get()));
    return counts;
  }
}
