package dev.peregrine.wire.hpack;

import dev.peregrine.wire.Output;
import dev.peregrine.wire.ResponseHead;
import java.util.Arrays;

/**
 * The bytes of heads encoded lately, found by the identity of the head, so that in the steady state
 * encoding is one copy. Loop-confined, one per connection; correct only while the dynamic table
 * stays as it is.
 */
final class EncodedHeads {

  /** A connection uses few heads at a time: response and trailers of one or two protocols. */
  static final int MAX_ENTRIES = 8;

  /** The usual blocks are one to 20 bytes; a longer one is encoded anew each time. */
  static final int MAX_BLOCK_BYTES = 256;

  private final ResponseHead[] heads = new ResponseHead[MAX_ENTRIES];
  private final byte[][] blocks = new byte[MAX_ENTRIES][];
  private int size;
  private int oldest;

  /** Appends the block of a head. Returns false, having written nothing, if it is not known. */
  boolean write(ResponseHead head, Output out) {
    for (int i = 0; i < size; i++) {
      if (heads[i] == head) {
        byte[] block = blocks[i];
        out.write(block, 0, block.length);
        return true;
      }
    }
    return false;
  }

  /** Remembers a block of at most {@link #MAX_BLOCK_BYTES}, in place of the oldest if need be. */
  void add(ResponseHead head, byte[] array, int start, int end) {
    int entry;
    if (size < MAX_ENTRIES) {
      entry = size++;
    } else {
      entry = oldest;
      oldest = (oldest + 1) % MAX_ENTRIES;
    }
    heads[entry] = head;
    blocks[entry] = Arrays.copyOfRange(array, start, end);
  }

  /** Forgets every block. */
  void clear() {
    if (size > 0) {
      Arrays.fill(heads, null);
      Arrays.fill(blocks, null);
      size = 0;
      oldest = 0;
    }
  }
}
