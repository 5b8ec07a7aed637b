package dev.peregrine.server;

/**
 * What one connection keeps of bytes that wait, and whether they move. Loop-confined; part of its
 * {@link SocketHandler}.
 */
final class WaitingBytes {

  /** Bytes move: closed last. */
  static final int MOVING = 1;

  /** Bytes have begun to wait, and none has moved yet. */
  static final int FRESH = 2;

  /** None has moved for longer than a round trip takes. */
  static final int STUCK = 3;

  /** Nobody seems to want them. */
  static final int DEAD = 4;

  private static final long STUCK_NANOS = 100_000_000L;
  private static final long NEVER_MOVED_NANOS = 1_000_000_000L;

  /**
   * A slow reader takes bytes at intervals: its kernel opens the window only when there is room for
   * much of it.
   */
  private static final long STOPPED_NANOS = 5_000_000_000L;

  /** Fewer are no movement: answers to pings, say. */
  private static final long MOVEMENT_BYTES = 1024;

  private final LoopBytes loop;
  private long bytes;
  private long requestBytes;
  private boolean moved;
  private long movedNanos;
  private long sentBytes;
  private long receivedBytes;

  WaitingBytes(LoopBytes loop) {
    this.loop = loop;
  }

  /** The call layer keeps more bytes of requests, or fewer. */
  void held(int more) {
    requestBytes += more;
  }

  /** What is kept in all, as of the end of the last burst. */
  long bytes() {
    return bytes;
  }

  /**
   * The end of a burst.
   *
   * @param queued what engine and socket keep
   * @param sent what the socket has taken since the beginning
   * @param received what came from it since the beginning
   */
  void update(long queued, long sent, long received, long nowNanos) {
    long now = queued + requestBytes;
    if (now == 0 && bytes == 0) {
      return;
    }
    if (bytes == 0) {
      restart(sent, received, nowNanos);
      moved = false;
    } else if (movedBytes(queued, sent, received) >= MOVEMENT_BYTES) {
      restart(sent, received, nowNanos);
      moved = true;
    }
    loop.add(now - bytes);
    bytes = now;
  }

  /** Of requests that wait for their rest, movement is what the peer sends. */
  private long movedBytes(long queued, long sent, long received) {
    return requestBytes > queued ? received - receivedBytes : sent - sentBytes;
  }

  private void restart(long sent, long received, long nowNanos) {
    movedNanos = nowNanos;
    sentBytes = sent;
    receivedBytes = received;
  }

  /** The connection is gone, and all it kept. */
  void clear() {
    loop.add(-bytes);
    bytes = 0;
    requestBytes = 0;
  }

  /** How much can be said for closing this connection. */
  int urgency(long nowNanos) {
    long stillNanos = nowNanos - movedNanos;
    if (moved) {
      return stillNanos >= STOPPED_NANOS ? DEAD : MOVING;
    }
    if (stillNanos >= NEVER_MOVED_NANOS) {
      return DEAD;
    }
    return stillNanos >= STUCK_NANOS ? STUCK : FRESH;
  }
}
