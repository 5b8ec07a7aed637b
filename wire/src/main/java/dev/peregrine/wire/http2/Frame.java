package dev.peregrine.wire.http2;

/**
 * Numbers of the frame layer (RFC 9113, 4.1 and 6). Any thread: no state.
 *
 * <pre>
 * +-----------------------------------------------+
 * |                 Length (24)                   |
 * +---------------+---------------+---------------+
 * |   Type (8)    |   Flags (8)   |
 * +-+-------------+---------------+-------------------------------+
 * |R|                 Stream Identifier (31)                      |
 * +=+=============================================================+
 * |                   Frame Payload (0...)                      ...
 * +---------------------------------------------------------------+
 * </pre>
 */
final class Frame {

  static final int HEADER_BYTES = 9;

  static final int DATA = 0x0;
  static final int HEADERS = 0x1;
  static final int PRIORITY = 0x2;
  static final int RST_STREAM = 0x3;
  static final int SETTINGS = 0x4;
  static final int PUSH_PROMISE = 0x5;
  static final int PING = 0x6;
  static final int GOAWAY = 0x7;
  static final int WINDOW_UPDATE = 0x8;
  static final int CONTINUATION = 0x9;

  static final int FLAG_END_STREAM = 0x1;
  static final int FLAG_ACK = 0x1;
  static final int FLAG_END_HEADERS = 0x4;
  static final int FLAG_PADDED = 0x8;
  static final int FLAG_PRIORITY = 0x20;

  /** A stream identifier and a window are 31 bits; the highest is reserved and ignored. */
  static final int MASK_31 = 0x7fff_ffff;

  static final int PRIORITY_BYTES = 5;
  static final int RST_STREAM_BYTES = 4;
  static final int PING_BYTES = 8;
  static final int GOAWAY_BYTES = 8;
  static final int WINDOW_UPDATE_BYTES = 4;

  private static final String[] NAMES = {
    "DATA",
    "HEADERS",
    "PRIORITY",
    "RST_STREAM",
    "SETTINGS",
    "PUSH_PROMISE",
    "PING",
    "GOAWAY",
    "WINDOW_UPDATE",
    "CONTINUATION"
  };

  private Frame() {}

  /** The name of a type, for people. */
  static String name(int type) {
    return type < NAMES.length ? NAMES[type] : "type " + type;
  }
}
