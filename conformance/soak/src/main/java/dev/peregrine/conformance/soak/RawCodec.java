package dev.peregrine.conformance.soak;

import dev.peregrine.rpc.Codec;
import java.util.Arrays;

/** Messages that are their own bytes. Any thread. */
final class RawCodec implements Codec<byte[]> {

  @Override
  public String name() {
    return "proto";
  }

  @Override
  public int size(byte[] message) {
    return message.length;
  }

  @Override
  public void encode(byte[] message, byte[] target, int offset) {
    System.arraycopy(message, 0, target, offset, message.length);
  }

  @Override
  public byte[] decode(byte[] source, int offset, int length) {
    return Arrays.copyOfRange(source, offset, offset + length);
  }
}
