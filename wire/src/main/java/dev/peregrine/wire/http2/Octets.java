package dev.peregrine.wire.http2;

/** Unsigned integers in network byte order. Any thread: no state. */
final class Octets {

  private Octets() {}

  static int int16(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
  }

  static int int24(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 16 | (bytes[at + 1] & 0xff) << 8 | (bytes[at + 2] & 0xff);
  }

  static int int32(byte[] bytes, int at) {
    return bytes[at] << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | (bytes[at + 3] & 0xff);
  }

  static long int64(byte[] bytes, int at) {
    return (long) int32(bytes, at) << 32 | (int32(bytes, at + 4) & 0xffff_ffffL);
  }

  static void putInt16(byte[] bytes, int at, int value) {
    bytes[at] = (byte) (value >>> 8);
    bytes[at + 1] = (byte) value;
  }

  static void putInt24(byte[] bytes, int at, int value) {
    bytes[at] = (byte) (value >>> 16);
    putInt16(bytes, at + 1, value);
  }

  static void putInt32(byte[] bytes, int at, int value) {
    putInt16(bytes, at, value >>> 16);
    putInt16(bytes, at + 2, value);
  }

  static void putInt64(byte[] bytes, int at, long value) {
    putInt32(bytes, at, (int) (value >>> 32));
    putInt32(bytes, at + 4, (int) value);
  }
}
