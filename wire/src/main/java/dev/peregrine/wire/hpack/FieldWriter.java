package dev.peregrine.wire.hpack;

import dev.peregrine.wire.Output;

/** The primitive types of a field block, appended to an output (RFC 7541, 5). Stateless. */
final class FieldWriter {

  private static final int HUFFMAN_FLAG = 0x80;

  private FieldWriter() {}

  /**
   * Appends an integer (RFC 7541, 5.1).
   *
   * @param flags the bits of the first byte above the prefix
   * @param prefixMask the bits of the first byte that belong to the integer, all ones from the
   *     lowest
   * @param value ≥ 0
   */
  static void integer(Output out, int flags, int prefixMask, int value) {
    if (value < prefixMask) {
      out.write(flags | value);
      return;
    }
    out.write(flags | prefixMask);
    int rest = value - prefixMask;
    while (rest >= 0x80) {
      out.write((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }

  /** Appends a string (RFC 7541, 5.2), Huffman-coded if that is shorter. */
  static void string(Output out, String text) {
    int length = text.length();
    int huffmanBytes = Huffman.encodedBytes(text);
    if (huffmanBytes < length) {
      integer(out, HUFFMAN_FLAG, 0x7f, huffmanBytes);
      int at = out.claim(huffmanBytes);
      Huffman.encode(text, out.array(), at);
    } else {
      integer(out, 0, 0x7f, length);
      int at = out.claim(length);
      byte[] array = out.array();
      for (int i = 0; i < length; i++) {
        array[at + i] = (byte) Huffman.symbol(text.charAt(i));
      }
    }
  }
}
