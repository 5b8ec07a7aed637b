package dev.peregrine.wire.hpack;

/** Huffman-coded strings (RFC 7541, 5.2). Stateless, any thread. */
final class Huffman {

  /** The shortest code, in bits: what bounds the growth of a string when it is decoded. */
  private static final int MIN_BITS = 5;

  /** RFC 7541, 5.2: more padding than this is an error. */
  private static final int MAX_PADDING_BITS = 7;

  private Huffman() {}

  /** The most bytes that {@code encodedBytes} bytes can decode to. */
  static int maxDecodedBytes(int encodedBytes) {
    return (int) Math.min(encodedBytes * 8L / MIN_BITS, Integer.MAX_VALUE);
  }

  /**
   * Decodes a string into {@code out}, from its beginning.
   *
   * @param out at least {@link #maxDecodedBytes} long
   * @return the number of bytes decoded
   * @throws HpackException if the string contains EOS, or its padding is longer than 7 bits or not
   *     the most significant bits of EOS
   */
  static int decode(byte[] bytes, int offset, int length, byte[] out) throws HpackException {
    long window = 0; // the bits not yet decoded are its lowest ones
    int bits = 0;
    int next = offset;
    int end = offset + length;
    int size = 0;
    while (true) {
      while (bits < HuffmanTable.MAX_BITS && next < end) {
        window = window << 8 | (bytes[next++] & 0xff);
        bits += 8;
      }
      int entry = HuffmanTable.ROOT[root(window, bits)];
      int codeBits = entry >>> 8;
      if (entry == 0) {
        if (bits <= MAX_PADDING_BITS) {
          break;
        }
        codeBits = longCodeBits(window, bits);
        int code = (int) (window >>> (bits - codeBits)) & ((1 << codeBits) - 1);
        entry = HuffmanTable.BY_RANK[code + HuffmanTable.RANK_OFFSET[codeBits]];
        if (entry == HuffmanTable.EOS) {
          throw new HpackException("EOS inside a Huffman-coded string");
        }
      } else if (codeBits > bits) {
        break;
      }
      out[size++] = (byte) entry;
      bits -= codeBits;
    }
    int padding = (1 << bits) - 1;
    if ((window & padding) != padding) {
      throw new HpackException("padding of a Huffman-coded string is not all ones");
    }
    return size;
  }

  /** The next 8 bits; ones, as padding is, where the string has ended. */
  private static int root(long window, int bits) {
    int missing = HuffmanTable.ROOT_BITS - bits;
    return (int) (missing <= 0 ? window >>> -missing : window << missing | ((1 << missing) - 1))
        & 0xff;
  }

  private static int longCodeBits(long window, int bits) throws HpackException {
    int max = Math.min(bits, HuffmanTable.MAX_BITS);
    for (int codeBits = HuffmanTable.ROOT_BITS + 1; codeBits <= max; codeBits++) {
      int code = (int) (window >>> (bits - codeBits)) & ((1 << codeBits) - 1);
      if (code < HuffmanTable.CODE_LIMIT[codeBits]) {
        return codeBits;
      }
    }
    throw new HpackException(
        "a Huffman-coded string ends inside a code or in more than 7 bits of padding");
  }

  /** The number of bytes {@link #encode} writes for a text of one byte per character. */
  static int encodedBytes(String text) {
    long bits = 0;
    for (int i = 0; i < text.length(); i++) {
      bits += HuffmanTable.BITS[symbol(text.charAt(i))];
    }
    return (int) ((bits + 7) / 8);
  }

  /** Encodes a text at {@code offset} of {@code out}, which has room for all of it. */
  static void encode(String text, byte[] out, int offset) {
    long window = 0;
    int bits = 0;
    int at = offset;
    for (int i = 0; i < text.length(); i++) {
      int symbol = symbol(text.charAt(i));
      int codeBits = HuffmanTable.BITS[symbol];
      window = window << codeBits | HuffmanTable.CODE[symbol];
      bits += codeBits;
      while (bits >= 8) {
        bits -= 8;
        out[at++] = (byte) (window >>> bits);
      }
    }
    if (bits > 0) {
      // RFC 7541, 5.2: the last byte is padded with the beginning of EOS, which is all ones.
      out[at] = (byte) (window << (8 - bits) | 0xff >>> bits);
    }
  }

  /**
   * The byte that stands for a character. Characters beyond ISO 8859-1 become a question mark: cut
   * to their low byte they could turn into a line break.
   */
  static int symbol(char character) {
    return character <= 0xff ? character : '?';
  }
}
