package dev.peregrine.conformance.soak;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** What messages hold: client and server work it out each for itself. Any thread. */
final class Payload {

  private Payload() {}

  /** Bytes that look random and depend on the seed alone. */
  static byte[] of(long seed, int size) {
    byte[] bytes = new byte[size];
    long state = seed * 0x9E37_79B9_7F4A_7C15L + 1;
    for (int i = 0; i < size; i++) {
      if ((i & 7) == 0) {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
      }
      bytes[i] = (byte) (state >>> ((i & 7) * 8));
    }
    return bytes;
  }

  /** The answer to one request of a unary or bidirectional call: its checksum, then itself. */
  static byte[] echo(byte[] request) {
    CRC32 checksum = new CRC32();
    checksum.update(request);
    return ByteBuffer.allocate(4 + request.length)
        .putInt((int) checksum.getValue())
        .put(request)
        .array();
  }

  /** The answer to an upload. */
  static byte[] sum(int count, CRC32 checksum) {
    return ByteBuffer.allocate(8).putInt(count).putInt((int) checksum.getValue()).array();
  }

  /**
   * What a download asks for.
   *
   * @param count messages
   * @param sizeBytes of each, without its number
   * @param seed of the first
   */
  record Download(int count, int sizeBytes, long seed) {

    static Download of(byte[] request) {
      ByteBuffer fields = ByteBuffer.wrap(request);
      return new Download(fields.getInt(), fields.getInt(), fields.getLong());
    }

    byte[] request() {
      return ByteBuffer.allocate(16).putInt(count).putInt(sizeBytes).putLong(seed).array();
    }

    /** One of the messages: its number, and content that depends on it. */
    byte[] message(int number) {
      return ByteBuffer.allocate(4 + sizeBytes)
          .putInt(number)
          .put(Payload.of(seed + number, sizeBytes))
          .array();
    }
  }
}
