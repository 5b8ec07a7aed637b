package dev.peregrine.wire.hpack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HuffmanTest {

  /** Codes of RFC 7541, appendix B, at the edges of each length. */
  @ParameterizedTest
  @CsvSource({
    "48,0,5",
    "116,9,5",
    "32,14,6",
    "117,2d,6",
    "58,5c,7",
    "122,7b,7",
    "38,f8,8",
    "90,fd,8",
    "33,3f8,10",
    "63,3fc,10",
    "39,7fa,11",
    "124,7fc,11",
    "35,ffa,12",
    "62,ffb,12",
    "0,1ff8,13",
    "126,1ffd,13",
    "94,3ffc,14",
    "125,3ffd,14",
    "60,7ffc,15",
    "123,7ffe,15",
    "92,7fff0,19",
    "208,7fff2,19",
    "128,fffe6,20",
    "226,fffed,20",
    "153,1fffdc,21",
    "230,1fffe8,21",
    "129,3fffd2,22",
    "233,3fffeb,22",
    "1,7fffd8,23",
    "239,7ffff4,23",
    "9,ffffea,24",
    "237,fffff5,24",
    "199,1ffffec,25",
    "235,1ffffef,25",
    "192,3ffffe0,26",
    "255,3ffffee,26",
    "203,7ffffde,27",
    "254,7fffff0,27",
    "2,fffffe2,28",
    "249,ffffffe,28",
    "10,3ffffffc,30",
    "22,3ffffffe,30",
    "256,3fffffff,30"
  })
  void codesAreThoseOfAppendixB(int symbol, String code, int bits) {
    assertEquals(HexFormat.fromHexDigits(code), HuffmanTable.CODE[symbol]);
    assertEquals(bits, HuffmanTable.BITS[symbol]);
  }

  @Test
  void everyPairOfSymbolsSurvives() throws HpackException {
    for (int first = 0; first < 256; first++) {
      for (int second = 0; second < 256; second++) {
        check("" + (char) first + (char) second);
      }
    }
  }

  @Test
  void longAndMixedStringsSurvive() throws HpackException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 3000; i++) {
      text.append((char) (i * 7 % 256));
      check(text.substring(i / 2));
    }
  }

  @Test
  void onlyBytesThatEncodeToThemselvesAreDecoded() throws HpackException {
    int accepted = 0;
    byte[] out = new byte[8];
    for (int i = 0; i < 1 << 16; i++) {
      byte[] bytes = {(byte) (i >>> 8), (byte) i};
      int size;
      try {
        size = Huffman.decode(bytes, 0, 2, out);
      } catch (HpackException expected) {
        continue;
      }
      accepted++;
      String text = new String(out, 0, size, StandardCharsets.ISO_8859_1);
      assertArrayEquals(bytes, encode(text));
    }
    // Strings of 9 to 16 bits: each ends in its own number of padding bits.
    assertEquals(stringsOf(9, 16), accepted);
  }

  /** The number of strings whose codes take {@code min} to {@code max} bits altogether. */
  private static int stringsOf(int min, int max) {
    int[] strings = new int[max + 1];
    strings[0] = 1;
    int sum = 0;
    for (int bits = 1; bits <= max; bits++) {
      for (int symbol = 0; symbol < HuffmanTable.EOS; symbol++) {
        int codeBits = HuffmanTable.BITS[symbol];
        strings[bits] += codeBits <= bits ? strings[bits - codeBits] : 0;
      }
      sum += bits >= min ? strings[bits] : 0;
    }
    return sum;
  }

  @Test
  void charactersBeyondOneByteBecomeQuestionMarks() {
    assertArrayEquals(encode("a?b"), encode("a\u010ab"));
  }

  @Test
  void eosIsRefusedAnywhere() {
    byte[] bytes = Blocks.hex("1f ff ff ff fe 00");
    assertThrows(HpackException.class, () -> Huffman.decode(bytes, 0, 6, new byte[16]));
  }

  private static void check(String text) throws HpackException {
    byte[] encoded = encode(text);
    byte[] out = new byte[Huffman.maxDecodedBytes(encoded.length)];
    int size = Huffman.decode(encoded, 0, encoded.length, out);
    assertEquals(text, new String(out, 0, size, StandardCharsets.ISO_8859_1));
  }

  private static byte[] encode(String text) {
    byte[] bytes = new byte[Huffman.encodedBytes(text)];
    Huffman.encode(text, bytes, 0);
    return bytes;
  }
}
