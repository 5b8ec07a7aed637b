package dev.peregrine.wire.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a decoder must refuse, what it must not, and that faults cost nothing. */
class HpackStrictnessTest {

  private final HpackDecoder decoder = Blocks.decoder();

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          80               | index 0
          be               | beyond both tables
          82 ff 80 80 01   | beyond both tables
          7e 01 61         | beyond both tables
          0f 2f 01 61      | beyond both tables
          3f e2 1f         | above SETTINGS_HEADER_TABLE_SIZE
          3f e0 ff ff ff 07| above SETTINGS_HEADER_TABLE_SIZE
          82 20            | after a field
          82 3f e1 1f      | after a field
          20 20 20         | more than two
          00 01 61 81 18   | not all ones
          00 01 61 81 1e   | not all ones
          00 01 61 82 1f ff| more than 7 bits of padding
          00 01 61 81 ff   | more than 7 bits of padding
          00 01 61 81 fe   | inside a code
          00 01 61 84 ff ff ff ff | EOS
          00 01 61 85 1f ff ff ff ff | EOS
          00 82 1f ff 01 61| more than 7 bits of padding
          40               | truncated
          41               | truncated
          1f               | truncated
          00 01 61         | truncated
          3f               | truncated inside an integer
          7f 80            | truncated inside an integer
          00 7f ff         | truncated inside an integer
          00 02 61         | longer than the block
          00 01 61 02 61   | longer than the block
          00 01 61 83 1f   | longer than the block
          00 7f 80 ff ff ff 07 61 | longer than the block
          7f ff ff ff ff 0f| above 2^31 - 1
          ff 81 ff ff ff 07| above 2^31 - 1
          ff 80 80 80 80 80 00 | above 2^31 - 1
          """)
  void refuses(String block, String reason) {
    HpackException fault = assertThrows(HpackException.class, () -> Blocks.decode(decoder, block));
    assertTrue(fault.getMessage().contains(reason), fault.getMessage());
    assertEquals(0, fault.getStackTrace().length);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          20 3f e1 1f 82   | :method: GET
          20 82            | :method: GET
          00 00 01 62      | : b
          00 00 00         | :
          00 01 61 80      | a:
          00 81 1f 81 1f   | a: a
          00 01 41 01 62   | A: b
          """)
  void acceptsWhatHttp2HasToJudge(String block, String field) throws HpackException {
    assertEquals(field, Blocks.decode(decoder, block).toString().strip());
  }

  @Test
  void leadingZerosOfAnIntegerAreLegal() throws HpackException {
    for (int i = 0; i < 66; i++) {
      Blocks.decode(decoder, "40 01 61 01 62");
    }
    assertEquals("a: b\n", Blocks.decode(decoder, "ff 80 80 00").toString()); // index 127
  }

  @Test
  void keepsEveryByteOfNamesAndValues() throws HpackException {
    String text = Blocks.decode(decoder, "00 03 00 c3 ff 04 0d 0a 80 e9").toString();
    assertEquals("\u0000\u00c3\u00ff: \r\n\u0080\u00e9\n", text);
  }

  @Test
  void emptyBlockHasNoFields() throws HpackException {
    assertEquals(0, Blocks.decode(decoder, "").size());
    assertEquals(0, decoder.listBytes());
  }

  @Test
  void largestIntegerIsRead() throws HpackException {
    BlockReader reader = new BlockReader();
    byte[] bytes = Blocks.hex("ff 80 ff ff ff 07");
    reader.start(bytes, 0, bytes.length);
    assertEquals(Integer.MAX_VALUE, reader.integer(0x7f));
  }

  @Test
  void sizeUpdateEvictsAtOnce() throws HpackException {
    Blocks.decode(decoder, "40 01 61 01 62");
    assertEquals(1, decoder.table().entries());
    assertThrows(HpackException.class, () -> Blocks.decode(decoder, "20 be"));
    assertEquals(0, decoder.table().entries());
    assertEquals(0, decoder.table().maxBytes());
  }

  @Test
  void tableOfZeroBytesTakesNoEntries() throws HpackException {
    assertEquals("a: b\n", Blocks.decode(decoder, "20 40 01 61 01 62").toString());
    assertEquals(0, decoder.table().entries());
  }

  @Test
  void refusesLimitsThatContradict() {
    assertThrows(IllegalArgumentException.class, () -> new HpackDecoder(-1, 1, 2));
    assertThrows(IllegalArgumentException.class, () -> new HpackDecoder(0, 2, 1));
    assertThrows(IllegalArgumentException.class, () -> new HpackDecoder(0, -1, 1));
  }
}
