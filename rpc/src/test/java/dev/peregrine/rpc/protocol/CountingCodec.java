package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Codec;
import java.nio.charset.StandardCharsets;

/** Texts as they are; counts what it decodes. Test thread. */
final class CountingCodec implements Codec<String> {

  private int decoded;

  /** How many messages were decoded. */
  int decoded() {
    return decoded;
  }

  @Override
  public String name() {
    return "proto";
  }

  @Override
  public int size(String message) {
    return message.getBytes(StandardCharsets.ISO_8859_1).length;
  }

  @Override
  public void encode(String message, byte[] target, int offset) {
    byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(bytes, 0, target, offset, bytes.length);
  }

  @Override
  public String decode(byte[] source, int offset, int length) {
    decoded++;
    return new String(source, offset, length, StandardCharsets.ISO_8859_1);
  }
}
