package dev.peregrine.wire;

/**
 * One peer, free of I/O. Loop-confined.
 *
 * <p>Bytes go in by {@link #receive}; bytes come out through {@link Transport#output()}, during a
 * call of one of these methods or while the loop runs a task for this connection (a
 * <em>burst</em>). Whatever a burst produced leaves in one write when the burst ends. The clock is
 * an argument.
 */
public interface Connection {

  /**
   * Takes bytes from the peer. The slice is only lent: what is needed later is copied. A fault of
   * the peer is answered (GOAWAY, RST_STREAM), never thrown.
   *
   * @param nowNanos the loop's monotonic clock, in nanoseconds, as from {@link System#nanoTime}
   */
  void receive(byte[] bytes, int offset, int length, long nowNanos);

  /**
   * Writes what is pending: called when the socket accepts bytes again, and after {@link
   * Transport#wake()}.
   */
  void transmit();

  /**
   * Acts on every limit of time that has passed.
   *
   * @return when to call again at the latest, on the same clock, or {@link Long#MAX_VALUE} when no
   *     limit of time is running
   */
  long expire(long nowNanos);

  /** Begins an orderly end: calls already accepted are finished, then the transport is closed. */
  void drain(long nowNanos);

  /**
   * The peer will send no more, though it may still read.
   *
   * @return whether the connection goes on, because responses are still owed; it then closes the
   *     transport itself. Otherwise it is over, and {@link #closed()} follows
   */
  default boolean inputEnded(long nowNanos) {
    return false;
  }

  /** The transport is gone: every stream still open is told. Nothing may be written any more. */
  void closed();

  /** The number of requests whose response is not yet complete. */
  int openStreams();

  /**
   * Memory that this connection keeps for bytes, in bytes: content that waits to be sent, and input
   * that waits for its rest or its turn.
   */
  default long queuedBytes() {
    return 0;
  }
}
