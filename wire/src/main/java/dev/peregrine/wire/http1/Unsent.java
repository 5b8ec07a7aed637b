package dev.peregrine.wire.http1;

import dev.peregrine.wire.Headers;
import dev.peregrine.wire.ResponseHead;

/** Content, or the end of a response, that the socket did not take yet. Loop-confined. */
final class Unsent {

  private final byte[] bytes;
  private final boolean end;
  private final ResponseHead trailers;
  private final Headers extra;
  private int offset;
  private int length;

  /** What comes behind this in its response. */
  Unsent next;

  Unsent(byte[] bytes, int offset, int length, boolean end) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
    this.end = end;
    this.trailers = null;
    this.extra = null;
  }

  /** The end of a response with its trailer section. */
  Unsent(ResponseHead trailers, Headers extra) {
    this.bytes = null;
    this.end = true;
    this.trailers = trailers;
    this.extra = extra;
  }

  /** Content that is left, in bytes. */
  int length() {
    return length;
  }

  /** Whether the response ends with this. */
  boolean end() {
    return end;
  }

  ResponseHead trailers() {
    return trailers;
  }

  Headers extra() {
    return extra;
  }

  /** The memory it keeps until all of it was taken, in bytes: the array is kept whole. */
  int keptBytes() {
    return bytes == null ? 0 : bytes.length;
  }

  /** Moves content to the output. */
  void take(byte[] target, int at, int count) {
    System.arraycopy(bytes, offset, target, at, count);
    offset += count;
    length -= count;
  }
}
