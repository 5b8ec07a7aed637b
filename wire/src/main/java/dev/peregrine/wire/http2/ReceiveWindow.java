package dev.peregrine.wire.http2;

/**
 * Our receive window for the whole connection (RFC 9113, 6.9). Loop-confined, one per connection.
 *
 * <p>Streams that are slow to read must not stop the others, so content is credited here on arrival
 * and held back by the stream's own window. Only when what lies unread in the call layer passes the
 * cap is the rest withheld, which bounds the memory one peer can fill.
 */
final class ReceiveWindow {

  private final int targetBytes;
  private final int unreadCapBytes;
  private int windowBytes;
  private long unreadBytes;

  /**
   * @param targetBytes the window we announced, ≥ 65,535; also the cap of what may lie unread
   */
  ReceiveWindow(int targetBytes) {
    this.targetBytes = targetBytes;
    this.unreadCapBytes = targetBytes;
    this.windowBytes = targetBytes;
  }

  /** DATA arrived. */
  void received(int frameBytes) throws StreamError, ConnectionError {
    windowBytes = FlowWindow.receive(windowBytes, frameBytes, 0);
  }

  /** Content is on its way to the call layer. */
  void unread(int bytes) {
    unreadBytes += bytes;
  }

  /** The call layer, or the end of a stream, gave content back. */
  void released(int bytes) {
    unreadBytes -= bytes;
  }

  /**
   * What to announce now, in bytes, or 0. Announced in halves of a window: one WINDOW_UPDATE for
   * each frame would be a waste.
   */
  int takeIncrement() {
    long withheld = Math.max(0, unreadBytes - unreadCapBytes);
    long increment = (long) targetBytes - windowBytes - withheld;
    if (increment * 2 < targetBytes) {
      return 0;
    }
    windowBytes += (int) increment;
    return (int) increment;
  }

  /** Bytes delivered to the call layer and not given back, for tests. */
  long unreadBytes() {
    return unreadBytes;
  }
}
