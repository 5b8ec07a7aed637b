package dev.peregrine.rpc;

import java.io.IOException;
import java.io.InputStream;

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

  /**
   * Reads a decompressing stream to its end, for implementations of {@link #decompress}. Room is
   * taken as bytes come out, not on what the peer announces.
   *
   * @param compressedBytes how many bytes go in: a first guess of what comes out is made from it
   * @throws RpcException with RESOURCE_EXHAUSTED, if more than {@code maxBytes} come out
   */
  static byte[] readAll(InputStream in, int compressedBytes, int maxBytes) throws IOException {
    return BoundedRead.readAll(in, compressedBytes, maxBytes);
  }
}
