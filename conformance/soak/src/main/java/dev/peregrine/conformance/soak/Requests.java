package dev.peregrine.conformance.soak;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What calls look like on the wire. Any thread. */
final class Requests {

  static final int PREFIX_BYTES = 5;

  private Requests() {}

  /**
   * The header section of a call.
   *
   * @param timeout {@code grpc-timeout}, or {@code null}
   */
  static byte[] block(String path, String timeout) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    field(block, ":method", "POST");
    field(block, ":scheme", "http");
    field(block, ":authority", "soak");
    field(block, ":path", path);
    field(block, "content-type", "application/grpc");
    field(block, "te", "trailers");
    if (timeout != null) {
      field(block, "grpc-timeout", timeout);
    }
    return block.toByteArray();
  }

  /** RFC 7541, 6.2.2: literal without indexing, new name, short strings. */
  private static void field(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    block.write(name.length());
    block.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
    block.write(value.length());
    block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  /** A message behind its prefix. */
  static byte[] message(byte[] content) {
    return ByteBuffer.allocate(PREFIX_BYTES + content.length)
        .put((byte) 0)
        .putInt(content.length)
        .put(content)
        .array();
  }
}
