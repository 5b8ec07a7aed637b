package dev.peregrine.wire.http2;

import dev.peregrine.wire.PeerLimit;
import java.util.Arrays;

/**
 * A field block that comes in several frames, until it is whole (RFC 9113, 4.3). Loop-confined;
 * made for a block that needs it and dropped with it.
 */
final class FieldBlock {

  private final int streamId;
  private final int parent;
  private final boolean endStream;
  private final long sinceNanos;
  private byte[] bytes = new byte[Settings.MIN_MAX_FRAME_BYTES];
  private int size;
  private int continuations;

  FieldBlock(int streamId, int parent, boolean endStream, long nowNanos) {
    this.streamId = streamId;
    this.parent = parent;
    this.endStream = endStream;
    this.sinceNanos = nowNanos;
  }

  void add(byte[] part, int offset, int length, Http2Limits limits) throws ConnectionError {
    // "Rapid continuation" (CVE-2024-27316): blocks without end, of large or of empty frames.
    if (length > limits.headerListHardBytes() - size) {
      throw ConnectionError.limit(
          PeerLimit.HEADER_BYTES,
          "header block above the hard limit of "
              + limits.headerListHardBytes()
              + " bytes (soft limit is "
              + limits.headerListSoftBytes()
              + ")");
    }
    if (size + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + length, bytes.length * 2));
    }
    System.arraycopy(part, offset, bytes, size, length);
    size += length;
  }

  void countContinuation(Http2Limits limits) throws ConnectionError {
    if (++continuations > limits.maxContinuations()) {
      throw ConnectionError.limit(
          PeerLimit.CONTINUATION_FRAMES,
          "more than " + limits.maxContinuations() + " CONTINUATION frames in a header block");
    }
  }

  int streamId() {
    return streamId;
  }

  /** The stream this one depends on by its priority field, or 0. */
  int parent() {
    return parent;
  }

  boolean endStream() {
    return endStream;
  }

  /** When the block began. */
  long sinceNanos() {
    return sinceNanos;
  }

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }
}
