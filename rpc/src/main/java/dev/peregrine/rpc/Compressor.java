package dev.peregrine.rpc;

/**
 * A way to compress single messages, e.g. gzip. Stateless, any thread. Give others than the
 * built-in ones to the server's builder.
 */
public interface Compressor {

  /** The name on the wire, as in {@code grpc-encoding}. */
  String wireName();

  /** Compresses a slice, which is only lent. */
  byte[] compress(byte[] source, int offset, int length);

  /**
   * Decompresses a slice, which is only lent. Must count while it works and stop at the bound, so
   * that a small message cannot become a large one.
   *
   * @param maxBytes the most bytes that may come out
   * @throws MalformedMessageException if the bytes do not decompress
   * @throws RpcException with RESOURCE_EXHAUSTED, if more than {@code maxBytes} come out
   */
  byte[] decompress(byte[] source, int offset, int length, int maxBytes)
      throws MalformedMessageException;

  /** {@code gzip} (RFC 1952), built in. */
  static Compressor gzip() {
    return JdkCompressor.GZIP;
  }

  /** {@code deflate}: the zlib format (RFC 1950), built in. */
  static Compressor deflate() {
    return JdkCompressor.DEFLATE;
  }
}
