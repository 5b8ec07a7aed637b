package dev.peregrine.wire.hpack;

import dev.peregrine.wire.HeaderName;
import java.nio.charset.StandardCharsets;

/**
 * The primitive types of a field block: integers and strings (RFC 7541, 5). Loop-confined; one per
 * decoder, pointed at each block in turn.
 */
final class BlockReader {

  /** Huffman-coded strings up to this decoded size share one buffer; longer ones are rare. */
  private static final int SCRATCH_BYTES = 128;

  /** RFC 7541, 5.1 leaves the limit to us: 31 bits, which take at most 5 bytes after the prefix. */
  private static final int MAX_SHIFT = 28;

  private static final byte[] NOTHING = {};

  private byte[] bytes = NOTHING;
  private int position;
  private int end;
  private byte[] scratch;

  /** The bytes of the last string, until the next read. */
  private byte[] text = NOTHING;

  private int textOffset;
  private int textLength;

  void start(byte[] block, int offset, int length) {
    bytes = block;
    position = offset;
    end = offset + length;
  }

  /** Lets go of the block, which was only lent. */
  void stop() {
    bytes = NOTHING;
    text = NOTHING;
    position = 0;
    end = 0;
  }

  boolean more() {
    return position < end;
  }

  /** The next byte, unsigned and not consumed; only if there is {@link #more()}. */
  int peek() {
    return bytes[position] & 0xff;
  }

  /**
   * Reads an integer (RFC 7541, 5.1).
   *
   * @param prefixMask the bits of the next byte that belong to it, all ones from the lowest
   * @return 0 to 2^31 − 1
   */
  int integer(int prefixMask) throws HpackException {
    if (position >= end) {
      throw new HpackException("field block is truncated");
    }
    int prefix = bytes[position++] & prefixMask;
    return prefix < prefixMask ? prefix : longInteger(prefix);
  }

  private int longInteger(int prefix) throws HpackException {
    long value = prefix;
    for (int shift = 0; shift <= MAX_SHIFT; shift += 7) {
      if (position >= end) {
        throw new HpackException("field block is truncated inside an integer");
      }
      int next = bytes[position++];
      value += (long) (next & 0x7f) << shift;
      if (next >= 0) {
        if (value > Integer.MAX_VALUE) {
          break;
        }
        return (int) value;
      }
    }
    throw new HpackException("integer in a field block is above 2^31 - 1");
  }

  /** Reads a string (RFC 7541, 5.2) as a field name. */
  HeaderName name() throws HpackException {
    readText();
    return HeaderName.of(text, textOffset, textLength);
  }

  /** Reads a string (RFC 7541, 5.2), one character for each byte. */
  String string() throws HpackException {
    readText();
    return textLength == 0
        ? ""
        : new String(text, textOffset, textLength, StandardCharsets.ISO_8859_1);
  }

  private void readText() throws HpackException {
    boolean huffman = more() && bytes[position] < 0;
    int length = integer(0x7f);
    if (length > end - position) {
      throw new HpackException("string in a field block is longer than the block");
    }
    if (huffman) {
      text = room(Huffman.maxDecodedBytes(length));
      textOffset = 0;
      textLength = Huffman.decode(bytes, position, length, text);
    } else {
      text = bytes;
      textOffset = position;
      textLength = length;
    }
    position += length;
  }

  private byte[] room(int size) {
    if (size > SCRATCH_BYTES) {
      return new byte[size];
    }
    if (scratch == null) {
      scratch = new byte[SCRATCH_BYTES];
    }
    return scratch;
  }
}
