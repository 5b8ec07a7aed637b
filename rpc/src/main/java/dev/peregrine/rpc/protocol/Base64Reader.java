package dev.peregrine.rpc.protocol;

import java.util.Arrays;

/**
 * Undoes base64 (RFC 4648, 4) that arrives in slices. Padding may come wherever the writer has
 * flushed: behind a padded group the text starts anew (PROTOCOL-WEB). Loop-confined.
 */
final class Base64Reader {

  /** {@link #read} of what is not base64. */
  static final int MALFORMED = -1;

  private static final int PAD = 64;
  private static final int NOT_BASE64 = -1;
  private static final int[] VALUES = values();

  private int group;
  private int characters;
  private int pads;

  private static int[] values() {
    int[] values = new int[256];
    Arrays.fill(values, NOT_BASE64);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < alphabet.length(); i++) {
      values[alphabet.charAt(i)] = i;
    }
    values['='] = PAD;
    return values;
  }

  /** The most bytes that come out of so many characters. */
  static int maxBytes(int characters) {
    return (int) ((characters + 3L) / 4 * 3);
  }

  /** How many characters were taken of a group that is not complete. */
  int pending() {
    return characters;
  }

  /** Forgets what is {@link #pending}, and says how much that was. */
  int forget() {
    int forgotten = characters;
    characters = 0;
    return forgotten;
  }

  /**
   * Takes more text.
   *
   * @param target has room for {@link #maxBytes} of the length
   * @return how many bytes were written to it, or {@link #MALFORMED}
   */
  int read(byte[] text, int offset, int length, byte[] target) {
    int at = 0;
    for (int i = offset; i < offset + length; i++) {
      int value = VALUES[text[i] & 0xff];
      if (value == NOT_BASE64 || (value == PAD ? characters < 2 : pads > 0)) {
        return MALFORMED;
      }
      if (value == PAD) {
        pads++;
        group <<= 6;
      } else {
        group = group << 6 | value;
      }
      if (++characters == 4) {
        for (int shift = 16; shift >= 8 * pads; shift -= 8) {
          target[at++] = (byte) (group >> shift);
        }
        group = 0;
        characters = 0;
        pads = 0;
      }
    }
    return at;
  }
}
