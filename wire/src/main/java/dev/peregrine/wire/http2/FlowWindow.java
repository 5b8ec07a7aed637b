package dev.peregrine.wire.http2;

import dev.peregrine.wire.ErrorCode;

/**
 * The arithmetic of flow-control windows (RFC 9113, 5.2 and 6.9). Any thread: no state.
 *
 * <p>A window is the number of bytes a sender may still send. It is a plain {@code int} in its
 * owner. A window for sending may be negative: with a window of 65,535 and 60,000 bytes under way,
 * SETTINGS_INITIAL_WINDOW_SIZE = 16,384 makes it 5,535 − 49,151 = −43,616, and the sender waits
 * until it is positive again.
 */
final class FlowWindow {

  /** RFC 9113, 6.9.2: every window before SETTINGS or WINDOW_UPDATE say otherwise, in bytes. */
  static final int INITIAL_BYTES = 65_535;

  /** RFC 9113, 6.9.1: the largest window, in bytes. */
  static final int MAX_BYTES = Integer.MAX_VALUE;

  private FlowWindow() {}

  /**
   * The window after WINDOW_UPDATE.
   *
   * @param streamId 0 for the connection, which decides how far an error reaches
   * @param increment 0 to 2^31 − 1
   */
  static int increase(int window, int increment, int streamId) throws StreamError, ConnectionError {
    // RFC 9113, 6.9: an increment of 0 is a PROTOCOL_ERROR; on the connection, of the connection.
    if (increment == 0) {
      throw fault(streamId, ErrorCode.PROTOCOL_ERROR, "WINDOW_UPDATE of 0");
    }
    // RFC 9113, 6.9.1: the sum must stay below 2^31.
    long sum = (long) window + increment;
    if (sum > MAX_BYTES) {
      throw fault(streamId, ErrorCode.FLOW_CONTROL_ERROR, "window above 2^31 - 1");
    }
    return (int) sum;
  }

  /**
   * The window of an open stream after SETTINGS_INITIAL_WINDOW_SIZE changed; may be negative.
   *
   * @param delta the new initial size less the old one
   */
  static int adjust(int window, int delta) throws ConnectionError {
    long sum = (long) window + delta;
    // RFC 9113, 6.9.2: a change that pushes any window over the limit is a connection error.
    if (sum > MAX_BYTES || sum < -MAX_BYTES) {
      throw new ConnectionError(
          ErrorCode.FLOW_CONTROL_ERROR, "SETTINGS_INITIAL_WINDOW_SIZE overflows a window");
    }
    return (int) sum;
  }

  /**
   * Our receive window after a DATA frame.
   *
   * @param frameBytes the whole payload, padding included (RFC 9113, 6.9.1)
   */
  static int receive(int window, int frameBytes, int streamId) throws StreamError, ConnectionError {
    // An empty frame needs no window, not even where our SETTINGS have made it negative.
    if (frameBytes > window && frameBytes > 0) {
      throw fault(streamId, ErrorCode.FLOW_CONTROL_ERROR, "DATA beyond the window");
    }
    return window - frameBytes;
  }

  private static ConnectionError fault(int streamId, ErrorCode code, String reason)
      throws StreamError {
    if (streamId != 0) {
      throw new StreamError(streamId, code, reason);
    }
    return new ConnectionError(code, reason);
  }
}
