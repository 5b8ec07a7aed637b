package dev.peregrine.conformance;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** One HTTP/2 frame as it was on the wire (RFC 9113, 4.1). Immutable by agreement, any thread. */
@SuppressWarnings("ArrayRecordComponent") // frames are never compared
record Frame(int type, int flags, int stream, byte[] payload) {

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int PRIORITY = 2;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PUSH_PROMISE = 5;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;

  /** END_STREAM of DATA and HEADERS, ACK of SETTINGS and PING. */
  static final int END_STREAM = 0x1;

  static final int ACK = 0x1;
  static final int END_HEADERS = 0x4;
  static final int PADDED = 0x8;
  static final int PRIORITY_FLAG = 0x20;

  /** The bytes of the frame header. */
  static final int HEADER_BYTES = 9;

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

  boolean is(int wanted) {
    return type == wanted;
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** The 32 bits at an offset of the payload: an error code, an increment, a stream id. */
  int int32(int offset) {
    return ByteBuffer.wrap(payload).getInt(offset);
  }

  /** The payload without padding and priority fields. */
  byte[] content() {
    int begin = 0;
    int end = payload.length;
    if (has(PADDED) && (is(DATA) || is(HEADERS))) {
      begin = 1;
      end -= payload[0] & 0xff;
    }
    if (is(HEADERS) && has(PRIORITY_FLAG)) {
      begin += 5;
    }
    return Arrays.copyOfRange(payload, begin, end);
  }

  byte[] bytes() {
    return ByteBuffer.allocate(HEADER_BYTES + payload.length)
        .putInt((payload.length << 8) | type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** The name, with {@code +ES} when the frame ends its stream. */
  String name() {
    String name = type < NAMES.length ? NAMES[type] : "TYPE" + type;
    boolean end = (is(DATA) || is(HEADERS)) && has(END_STREAM);
    return end ? name + "+ES" : name;
  }

  @Override
  public String toString() {
    String detail = is(GOAWAY) || is(RST_STREAM) ? " code " + int32(is(GOAWAY) ? 4 : 0) : "";
    return name() + " stream " + stream + ", " + payload.length + " bytes" + detail;
  }
}
