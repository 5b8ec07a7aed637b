package dev.peregrine.conformance.interop;

import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.MalformedMessageException;

/**
 * gzip that remembers what it last decompressed on each thread, so that {@link ReceivedCodec},
 * which is asked next on the same thread, can tell a compressed message. Any thread.
 */
final class WitnessGzip implements Compressor {

  private static final ThreadLocal<byte[]> LAST = new ThreadLocal<>();

  private final Compressor gzip = Compressor.gzip();

  @Override
  public String wireName() {
    return gzip.wireName();
  }

  @Override
  public byte[] compress(byte[] source, int offset, int length) {
    return gzip.compress(source, offset, length);
  }

  @Override
  public byte[] decompress(byte[] source, int offset, int length, int maxBytes)
      throws MalformedMessageException {
    byte[] plain = gzip.decompress(source, offset, length, maxBytes);
    LAST.set(plain);
    return plain;
  }

  /** Whether this very array is what was last decompressed; asked once. */
  static boolean made(byte[] source) {
    boolean made = LAST.get() == source;
    LAST.remove();
    return made;
  }
}
