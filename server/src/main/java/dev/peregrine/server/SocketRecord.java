package dev.peregrine.server;

import dev.peregrine.rpc.ConnectionEnd;
import dev.peregrine.rpc.ConnectionStart;
import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.protocol.FlightRecording;
import dev.peregrine.rpc.protocol.LogText;
import dev.peregrine.wire.ErrorCode;
import java.net.SocketAddress;
import java.util.EnumSet;
import java.util.Set;
import javax.net.ssl.SSLSession;

/**
 * Whose connection a socket is and what becomes of it: for observers, the log, the recorder of
 * flights, and the limits that count connections. Loop-confined.
 */
final class SocketRecord {

  private static final int MAX_CAUSE_CHARS = 256;

  private final EventLoop loop;
  private final long openedNanos;
  private SocketAddress peer;
  private SocketAddress local;

  /** What the connection is counted by: {@code null} while that is not known. */
  private SocketAddress counted;

  private boolean relayed;
  private long receivedBytes;
  private boolean announced;
  private String endReason;
  private Set<Limit> namedLimits;

  /**
   * A connection accepted now.
   *
   * @param proxied whether its peer is a proxy, which will say for whom it is
   */
  SocketRecord(EventLoop loop, SocketAddress peer, SocketAddress local, boolean proxied) {
    this.loop = loop;
    this.openedNanos = loop.nowNanos();
    this.peer = peer;
    this.local = local;
    this.counted = proxied ? null : peer;
  }

  /** Takes what a proxy says; false if that client has too many connections already. */
  boolean proxied(ProxyHeader header) {
    relayed = header.relayed();
    if (header.source() != null) {
      peer = header.source();
      local = header.destination();
      if (!loop.budget().admitAddress(peer, loop.nowNanos())) {
        return false;
      }
      counted = peer;
    }
    return true;
  }

  SocketAddress peer() {
    return peer;
  }

  /**
   * Whether a proxy speaks for the peer: what the system says of the socket's end is the proxy's.
   */
  boolean relayed() {
    return relayed;
  }

  SocketAddress local() {
    return local;
  }

  SocketAddress counted() {
    return counted;
  }

  /** When it was accepted. */
  long openedNanos() {
    return openedNanos;
  }

  /** So many bytes came from the socket. */
  void received(int bytes) {
    receivedBytes += bytes;
  }

  long receivedBytes() {
    return receivedBytes;
  }

  /** Says that there is a connection, to those who want to hear of its end. */
  void opened() {
    if (loop.watch().observed()) {
      announced = true;
      loop.watch().opened(new ConnectionStart(peer, local));
    }
  }

  /** The first reason counts: what comes later follows from it. */
  void endsBecause(String reason) {
    if (endReason == null) {
      endReason = reason;
    }
  }

  /** The same of a fault, whose text may quote what the peer sent. */
  void endsBecause(Throwable cause) {
    if (endReason == null) {
      endReason = LogText.line(cause.toString(), MAX_CAUSE_CHARS);
    }
  }

  /** The peer was told to go away. */
  void wentAway(ErrorCode code, String reason) {
    endsBecause(reason.isEmpty() ? code.toString() : reason);
    if (FlightRecording.PRESENT) {
      GoAwayEvent.record(peer, code, reason);
    }
  }

  /** Says that a limit has done its work; the log names each once for each connection. */
  void limitReached(Limit limit, String reason) {
    if (namedLimits == null) {
      namedLimits = EnumSet.noneOf(Limit.class);
    }
    boolean names = namedLimits.add(limit);
    loop.watch().limitReached(limit, peer, reason, names, loop.nowNanos());
  }

  /** Says that it is over. */
  void ended(SSLSession session, long sentBytes) {
    long durationNanos = loop.nowNanos() - openedNanos;
    if (announced) {
      loop.watch()
          .closed(
              new ConnectionEnd(
                  peer, local, session, durationNanos, receivedBytes, sentBytes, endReason));
    }
    if (FlightRecording.PRESENT) {
      ConnectionEvent.record(peer, endReason, durationNanos, receivedBytes, sentBytes);
    }
  }
}
