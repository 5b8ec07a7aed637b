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
  private long owedBytes;
  private long partialBytes;
  private long streamBytes;
  private long requestBytes;
  private boolean cleared;
  private boolean moved;
  private long movedNanos;
  private long sentBytes;
  private long receivedBytes;

  WaitingBytes(LoopBytes loop) {
    this.loop = loop;
  }

  /**
   * The call layer keeps more bytes, or fewer: of messages whose rest is missing, and of streams'
   * messages which wait for their handlers.
   */
  void held(int morePartial, int moreOfStreams) {
    if (cleared) {
      return; // it was counted out as a whole
    }
    partialBytes += morePartial;
    streamBytes += moreOfStreams;
    // At once: what a message frees as it becomes complete is room for its waiting for a handler.
    bytes += morePartial + moreOfStreams;
    loop.add(morePartial + moreOfStreams);
  }

  /**
   * More requests wait for their handlers or are with them, or fewer. These stay when the
   * connection goes, until the handlers are done.
   */
  void heldRequest(int more) {
    requestBytes += more;
    loop.add(more);
  }

  /** All that is kept for this connection; of its output as of the end of the last burst. */
  long bytes() {
    return bytes + requestBytes;
  }

  /**
   * What the peer is to blame for, of what goes with the connection: it reads or sends too little.
   */
  long owedBytes() {
    return owedBytes;
  }

  /** What of its streams' messages waits for handlers. */
  long streamBytes() {
    return streamBytes;
  }

  /** What goes with the connection. */
  long ownBytes() {
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
    long owed = queued + partialBytes;
    long now = owed + streamBytes;
    if (now == 0 && bytes == 0 && owedBytes == 0) {
      return;
    }
    if (owedBytes == 0) {
      restart(sent, received, nowNanos);
      moved = false;
    } else if (movedBytes(queued, sent, received) >= MOVEMENT_BYTES) {
      restart(sent, received, nowNanos);
      moved = true;
    }
    loop.add(now - bytes);
    bytes = now;
    owedBytes = owed;
  }

  /** Of requests that wait for their rest, movement is what the peer sends. */
  private long movedBytes(long queued, long sent, long received) {
    return partialBytes > queued ? received - receivedBytes : sent - sentBytes;
  }

  private void restart(long sent, long received, long nowNanos) {
    movedNanos = nowNanos;
    sentBytes = sent;
    receivedBytes = received;
  }

  /** The connection is gone, and what goes with it. */
  void clear() {
    cleared = true;
    loop.add(-bytes);
    bytes = 0;
    owedBytes = 0;
    partialBytes = 0;
    streamBytes = 0;
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
