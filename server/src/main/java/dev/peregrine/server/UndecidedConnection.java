package dev.peregrine.server;

import dev.peregrine.rpc.Limit;
import dev.peregrine.wire.Connection;
import dev.peregrine.wire.HttpHandler;
import dev.peregrine.wire.http1.DateField;
import dev.peregrine.wire.http1.Http1Connection;
import dev.peregrine.wire.http2.Http2Connection;
import java.util.Arrays;

/**
 * A peer that has not yet shown what it speaks. Loop-confined. Gives its place to the engine of
 * that protocol, so that nothing stands between the socket and the engine afterwards.
 */
final class UndecidedConnection implements Connection {

  /**
   * How long a peer may keep silent once the server drains: the peer may have sent its first call
   * just when the drain began, so that it is on its way.
   */
  static final long DRAIN_SILENCE_NANOS = 300_000_000L;

  private static final byte[] NONE = {};

  private final SocketHandler socket;
  private final HttpHandler handler;
  private final EngineSettings settings;
  private final DateField date;
  private final KnockLog knocks;
  private long closeNanos;
  private byte[] held = NONE;
  private boolean secure;
  private boolean draining;

  UndecidedConnection(
      SocketHandler socket,
      HttpHandler handler,
      EngineSettings settings,
      DateField date,
      KnockLog knocks,
      long nowNanos) {
    this.socket = socket;
    this.handler = handler;
    this.settings = settings;
    this.date = date;
    this.knocks = knocks;
    this.closeNanos =
        nowNanos + (socket.handshaking() ? settings.handshakeNanos() : settings.openingNanos());
  }

  @Override
  public void receive(byte[] bytes, int offset, int length, long nowNanos) {
    ProtocolDetector.Protocol protocol;
    if (held.length == 0) {
      protocol = ProtocolDetector.detect(bytes, offset, length);
    } else {
      byte[] first = joined(bytes, offset, length);
      protocol = ProtocolDetector.detect(first, 0, first.length);
    }
    switch (protocol) {
      case UNDECIDED -> held = joined(bytes, offset, length);
      case HTTP2 -> onHttp2(bytes, offset, length, nowNanos);
      case HTTP1 -> become(http1(nowNanos), bytes, offset, length, nowNanos);
      case TLS -> onTls(bytes, offset, length, nowNanos);
      case UNKNOWN -> {
        if (ProxyProtocol.beginsV2(bytes, offset, length)) {
          knocks.proxyNotExpected(socket.peer(), nowNanos);
        } else {
          knocks.unknown(socket.peer(), nowNanos);
        }
        socket.close();
      }
    }
  }

  private Connection http1(long nowNanos) {
    Http1Connection next = new Http1Connection(socket, handler, settings.http1(), date, nowNanos);
    return secure ? next.overTls() : next;
  }

  private Connection http2(long nowNanos) {
    return new Http2Connection(socket, handler, settings.http2(), nowNanos);
  }

  private void onHttp2(byte[] bytes, int offset, int length, long nowNanos) {
    if (secure && !socket.tlsContext().http2WithoutAlpn()) {
      knocks.withoutAlpn(socket.peer(), nowNanos);
      socket.close();
    } else {
      become(http2(nowNanos), bytes, offset, length, nowNanos);
    }
  }

  private void onTls(byte[] bytes, int offset, int length, long nowNanos) {
    if (secure || socket.tlsContext() == null) {
      knocks.tls(socket.peer(), nowNanos);
      socket.close();
      return;
    }
    byte[] first = Arrays.copyOf(held, held.length + length);
    System.arraycopy(bytes, offset, first, held.length, length);
    held = NONE;
    socket.beginTls(first);
  }

  /**
   * The handshake is done.
   *
   * @param protocol what was agreed upon (ALPN), or the empty string: then the first bytes tell
   */
  void secured(String protocol, long nowNanos) {
    secure = true;
    closeNanos = nowNanos + settings.openingNanos();
    switch (protocol) {
      case TlsContext.H2 -> become(http2(nowNanos), NONE, 0, 0, nowNanos);
      case TlsContext.HTTP_1_1 -> become(http1(nowNanos), NONE, 0, 0, nowNanos);
      default -> {
        // the first bytes tell
      }
    }
  }

  /** The bytes held back and as many of the new ones as can matter. */
  private byte[] joined(byte[] bytes, int offset, int length) {
    int added = Math.min(length, ProtocolDetector.DECISIVE_BYTES - held.length);
    byte[] first = Arrays.copyOf(held, held.length + added);
    System.arraycopy(bytes, offset, first, held.length, added);
    return first;
  }

  private void become(Connection next, byte[] bytes, int offset, int length, long nowNanos) {
    socket.become(next);
    if (held.length > 0) {
      next.receive(held, 0, held.length, nowNanos);
    }
    if (length > 0) {
      next.receive(bytes, offset, length, nowNanos);
    }
    if (draining) {
      next.drain(nowNanos);
    }
  }

  @Override
  public void transmit() {
    // nothing was promised to this peer
  }

  @Override
  public long expire(long nowNanos) {
    if (closeNanos - nowNanos <= 0) {
      if (!draining) {
        tellTimeout();
      }
      socket.close();
      return Long.MAX_VALUE;
    }
    return closeNanos;
  }

  private void tellTimeout() {
    if (socket.handshaking()) {
      socket.limitReached(Limit.HANDSHAKE_TIME, "the TLS handshake was not done in time");
    } else {
      socket.limitReached(Limit.OPENING_TIME, "it has not said in time what it speaks");
    }
  }

  @Override
  public void drain(long nowNanos) {
    draining = true;
    closeNanos = Math.min(closeNanos - nowNanos, DRAIN_SILENCE_NANOS) + nowNanos;
  }

  @Override
  public void closed() {
    held = NONE;
  }

  @Override
  public int openStreams() {
    return 0;
  }
}
