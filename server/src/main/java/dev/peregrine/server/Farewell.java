package dev.peregrine.server;

/**
 * How long the end of one connection may take: until the peer has taken the last bytes, and then
 * until it closes. Loop-confined.
 */
final class Farewell {

  /** How long the peer may take none of the last bytes, which are a quarter of a megabyte. */
  static final long STALL_NANOS = 5_000_000_000L;

  /** How long it may take for all of them, so that nobody is held up by single bytes. */
  static final long FLUSH_NANOS = 60_000_000_000L;

  /**
   * How long input is waited for, to be dropped, after our FIN. Closing a socket with unread input
   * sends RST, which may destroy the last answer on its way (RFC 9112, 9.6). About one round trip
   * is needed.
   */
  static final long LINGER_NANOS = 500_000_000L;

  /**
   * The same for a peer that goes on sending, e.g. WINDOW_UPDATE for what it still reads from the
   * kernels' buffers.
   */
  static final long LINGER_MAX_NANOS = 10_000_000_000L;

  /** How much input is dropped at most, so that a flood gains nothing by it. */
  static final int LINGER_BYTES = 1024 * 1024;

  private long lastNanos;
  private long deadlineNanos;
  private long sentMark;
  private long lingeredBytes;

  /**
   * The last bytes are on their way.
   *
   * @param sentBytes how many the socket has taken so far
   */
  Farewell(long sentBytes, long nowNanos) {
    lastNanos = nowNanos + FLUSH_NANOS;
    deadlineNanos = nowNanos + STALL_NANOS;
    sentMark = sentBytes;
  }

  /** When to ask {@link #isOver} at the latest. */
  long deadlineNanos() {
    return deadlineNanos;
  }

  /** Whether the time is over; if the socket has taken some more meanwhile, there is more time. */
  boolean isOver(long sentBytes, long nowNanos) {
    if (sentBytes > sentMark) {
      sentMark = sentBytes;
      moveOn(nowNanos + STALL_NANOS);
    }
    return deadlineNanos - nowNanos <= 0;
  }

  /** All was written, FIN included. */
  void linger(long sentBytes, long nowNanos) {
    sentMark = sentBytes;
    lastNanos = nowNanos + LINGER_MAX_NANOS;
    deadlineNanos = nowNanos + LINGER_NANOS;
  }

  /** Input was dropped; false if that is enough. */
  boolean dropped(int bytes, long nowNanos) {
    lingeredBytes += bytes;
    moveOn(nowNanos + LINGER_NANOS);
    return lingeredBytes <= LINGER_BYTES;
  }

  private void moveOn(long nanos) {
    deadlineNanos = nanos - lastNanos < 0 ? nanos : lastNanos;
  }
}
