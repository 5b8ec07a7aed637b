package dev.peregrine.wire.hpack;

/**
 * The Huffman code of RFC 7541, appendix B, with what encoding and decoding derive from it.
 * Immutable, any thread.
 *
 * <p>The code is canonical: shorter codes come first, codes of one length are consecutive in the
 * order of their symbols. So the lengths alone define it, and a long code is decoded by comparing
 * it with the last code of each length.
 */
final class HuffmanTable {

  /** The symbol that must never appear in a string (RFC 7541, 5.2). */
  static final int EOS = 256;

  /** The length of the longest code, in bits. */
  static final int MAX_BITS = 30;

  /** Codes of at most this many bits are decoded by one look-up; text is nearly all of them. */
  static final int ROOT_BITS = 8;

  private static final int SYMBOLS = 257;

  /** The length of each symbol's code in bits, one digit of base 36 each, symbols 0 to 256. */
  private static final String LENGTHS =
      "dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6ca"
          + "d67777777777777777777777878djde6f56565666577666567655677777fbeds"
          + "kmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmn"
          + "qqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrq"
          + "u";

  /** The code of each symbol, right-aligned. */
  static final int[] CODE = new int[SYMBOLS];

  /** The length of each symbol's code, in bits. */
  static final byte[] BITS = new byte[SYMBOLS];

  /**
   * By the next {@link #ROOT_BITS} bits: length of the code (high byte) and symbol (low byte), or 0
   * when the code is longer.
   */
  static final short[] ROOT = new short[1 << ROOT_BITS];

  /** By length: one more than the last code of this length, or 0 if there is none. */
  static final int[] CODE_LIMIT = new int[MAX_BITS + 1];

  /** By length: what to add to a code of this length to get its rank in {@link #BY_RANK}. */
  static final int[] RANK_OFFSET = new int[MAX_BITS + 1];

  /** Symbols in the order of their codes. */
  static final short[] BY_RANK = new short[SYMBOLS];

  static {
    int rank = 0;
    int code = 0;
    for (int bits = 1; bits <= MAX_BITS; bits++) {
      code <<= 1;
      RANK_OFFSET[bits] = rank - code;
      for (int symbol = 0; symbol < SYMBOLS; symbol++) {
        if (Character.digit(LENGTHS.charAt(symbol), 36) == bits) {
          CODE[symbol] = code;
          BITS[symbol] = (byte) bits;
          BY_RANK[rank++] = (short) symbol;
          fillRoot(symbol, code, bits);
          code++;
          CODE_LIMIT[bits] = code;
        }
      }
    }
  }

  private HuffmanTable() {}

  private static void fillRoot(int symbol, int code, int bits) {
    if (bits <= ROOT_BITS) {
      int first = code << (ROOT_BITS - bits);
      int last = first + (1 << (ROOT_BITS - bits)) - 1;
      for (int i = first; i <= last; i++) {
        ROOT[i] = (short) (bits << 8 | symbol);
      }
    }
  }
}
