package dev.peregrine.wire.http2;

import dev.peregrine.wire.Headers;
import dev.peregrine.wire.Output;
import dev.peregrine.wire.ResponseHead;

/** Something a stream sends later: a field section, or content by reference. Loop-confined. */
final class Chunk {

  /** Below this, to copy costs less than to keep a reference (bench/streams, down-1k). */
  private static final int REFERENCE_BYTES = 2048;

  /** What a chunk itself takes, beside its array. */
  private static final int OBJECTS_BYTES = 64;

  private final ResponseHead head;
  private final Headers extra;
  private final byte[] bytes;
  private final boolean end;
  private int offset;
  private int length;

  /** The chunk behind this one in its stream. */
  Chunk next;

  private Chunk(
      ResponseHead head, Headers extra, byte[] bytes, int offset, int length, boolean end) {
    this.head = head;
    this.extra = extra;
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
    this.end = end;
  }

  static Chunk fields(ResponseHead head, Headers extra, boolean end) {
    return new Chunk(head, extra, null, 0, 0, end);
  }

  static Chunk content(byte[] bytes, int offset, int length, boolean end) {
    return new Chunk(null, null, bytes, offset, length, end);
  }

  boolean isContent() {
    return bytes != null;
  }

  ResponseHead head() {
    return head;
  }

  Headers extra() {
    return extra;
  }

  /** Whether the response ends with it. */
  boolean end() {
    return end;
  }

  /** Content not yet taken, in bytes. */
  int length() {
    return length;
  }

  /** The memory it keeps until all of it was taken, in bytes: the array is kept whole. */
  int keptBytes() {
    return bytes == null ? 0 : bytes.length + OBJECTS_BYTES;
  }

  /** Appends content to the output: the array is ours, so that large content need not be copied. */
  void take(Output output, int count) {
    if (count >= REFERENCE_BYTES) {
      output.refer(bytes, offset, count);
    } else {
      output.write(bytes, offset, count);
    }
    offset += count;
    length -= count;
  }
}
