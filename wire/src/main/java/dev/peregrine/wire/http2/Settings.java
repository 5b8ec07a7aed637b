package dev.peregrine.wire.http2;

import dev.peregrine.wire.ErrorCode;

/** What the peer told us by SETTINGS (RFC 9113, 6.5.2). Loop-confined, one per connection. */
final class Settings {

  static final int HEADER_TABLE_SIZE = 0x1;
  static final int ENABLE_PUSH = 0x2;
  static final int MAX_CONCURRENT_STREAMS = 0x3;
  static final int INITIAL_WINDOW_SIZE = 0x4;
  static final int MAX_FRAME_SIZE = 0x5;
  static final int MAX_HEADER_LIST_SIZE = 0x6;

  /** An identifier in 16 bits and a value in 32. */
  static final int ENTRY_BYTES = 6;

  /** RFC 9113, 6.5.2: the least and initial value of SETTINGS_MAX_FRAME_SIZE, in bytes. */
  static final int MIN_MAX_FRAME_BYTES = 1 << 14;

  /** RFC 9113, 6.5.2: the largest value of SETTINGS_MAX_FRAME_SIZE, in bytes. */
  static final int MAX_MAX_FRAME_BYTES = (1 << 24) - 1;

  /** RFC 9113, 6.5.2: the initial value of SETTINGS_HEADER_TABLE_SIZE, in bytes. */
  static final int INITIAL_HEADER_TABLE_BYTES = 4096;

  private int headerTableBytes = INITIAL_HEADER_TABLE_BYTES;
  private int smallestHeaderTableBytes = INITIAL_HEADER_TABLE_BYTES;
  private int initialWindowBytes = FlowWindow.INITIAL_BYTES;
  private int maxFrameBytes = MIN_MAX_FRAME_BYTES;
  private int maxHeaderListBytes = Integer.MAX_VALUE;

  /**
   * Takes over the payload of a SETTINGS frame. RFC 9113, 6.5.3: in order, the last of several
   * values wins, and nothing happens between them.
   *
   * @param length a multiple of {@link #ENTRY_BYTES}
   */
  void apply(byte[] bytes, int offset, int length) throws ConnectionError {
    smallestHeaderTableBytes = headerTableBytes;
    for (int at = offset; at < offset + length; at += ENTRY_BYTES) {
      apply(Octets.int16(bytes, at), Octets.int32(bytes, at + 2));
    }
  }

  /**
   * @param value 32 bits, unsigned
   */
  private void apply(int identifier, int value) throws ConnectionError {
    switch (identifier) {
      case HEADER_TABLE_SIZE -> {
        headerTableBytes = saturated(value);
        smallestHeaderTableBytes = Math.min(smallestHeaderTableBytes, headerTableBytes);
      }
      case ENABLE_PUSH -> {
        // We never push, so only the value's range matters.
        if (value != 0 && value != 1) {
          throw ConnectionError.protocol("SETTINGS_ENABLE_PUSH is neither 0 nor 1");
        }
      }
      case INITIAL_WINDOW_SIZE -> {
        if (value < 0) {
          throw new ConnectionError(
              ErrorCode.FLOW_CONTROL_ERROR, "SETTINGS_INITIAL_WINDOW_SIZE is above 2^31 - 1");
        }
        initialWindowBytes = value;
      }
      case MAX_FRAME_SIZE -> {
        if (value < MIN_MAX_FRAME_BYTES || value > MAX_MAX_FRAME_BYTES) {
          throw ConnectionError.protocol("SETTINGS_MAX_FRAME_SIZE is not in 2^14..2^24 - 1");
        }
        maxFrameBytes = value;
      }
      case MAX_HEADER_LIST_SIZE -> maxHeaderListBytes = saturated(value);
      default -> {
        // RFC 9113, 6.5.2: unknown settings are ignored. MAX_CONCURRENT_STREAMS limits pushes only.
      }
    }
  }

  private static int saturated(int unsigned) {
    return unsigned < 0 ? Integer.MAX_VALUE : unsigned;
  }

  /** How large our encoder's table may be, in bytes. */
  int headerTableBytes() {
    return headerTableBytes;
  }

  /** The smallest table the last SETTINGS frame passed through (RFC 7541, 4.2), in bytes. */
  int smallestHeaderTableBytes() {
    return smallestHeaderTableBytes;
  }

  /** The send window of a new stream, in bytes. */
  int initialWindowBytes() {
    return initialWindowBytes;
  }

  /** The largest payload the peer takes, in bytes. */
  int maxFrameBytes() {
    return maxFrameBytes;
  }

  /** The largest header section the peer takes, as RFC 9113, 6.5.2 counts bytes. */
  int maxHeaderListBytes() {
    return maxHeaderListBytes;
  }
}
