package dev.peregrine.wire.http1;

import java.util.Arrays;

/**
 * Heads read lately, by their bytes. Loop-confined, one per connection.
 *
 * <p>Clients repeat themselves. A head ends with the first empty line in it, so bytes that begin
 * with a known head are that head again: comparing is all that a repeated request costs, and the
 * layers above find what they have attached to its {@link dev.peregrine.wire.Headers}.
 */
final class HeadCache {

  /** The requests a client makes in turn on one connection are few. */
  static final int MAX_ENTRIES = 4;

  /** The heads of browsers take some 700 bytes, those of programs 100 to 300. */
  static final int MAX_HEAD_BYTES = 1024;

  private static final int STEP_BYTES = 64;

  private final byte[][] bytes = new byte[MAX_ENTRIES][];
  private final int[] lengths = new int[MAX_ENTRIES];
  private final RequestHead[] heads = new RequestHead[MAX_ENTRIES];
  private int size;
  private int recent;
  private int oldest;

  /** The head that the bytes begin with, or {@code null}; {@link #foundBytes} is its length. */
  RequestHead find(byte[] input, int offset, int end) {
    if (size == 0) {
      return null;
    }
    if (matches(recent, input, offset, end)) {
      return heads[recent];
    }
    for (int i = 0; i < size; i++) {
      if (matches(i, input, offset, end)) {
        recent = i;
        return heads[i];
      }
    }
    return null;
  }

  /** The length of the head found last, in bytes. */
  int foundBytes() {
    return lengths[recent];
  }

  private boolean matches(int entry, byte[] input, int offset, int end) {
    int length = lengths[entry];
    return length <= end - offset
        && Arrays.equals(bytes[entry], 0, length, input, offset, offset + length);
  }

  /** Keeps a head, in place of the oldest if need be, unless it is too long. */
  void add(byte[] input, int offset, int length, RequestHead head) {
    if (length > MAX_HEAD_BYTES) {
      return;
    }
    int entry;
    if (size < MAX_ENTRIES) {
      entry = size++;
    } else {
      entry = oldest;
      oldest = (oldest + 1) % MAX_ENTRIES;
    }
    byte[] kept = bytes[entry];
    if (kept == null || kept.length < length) {
      kept = new byte[(length + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES];
      bytes[entry] = kept;
    }
    System.arraycopy(input, offset, kept, 0, length);
    lengths[entry] = length;
    heads[entry] = head;
    recent = entry;
  }
}
