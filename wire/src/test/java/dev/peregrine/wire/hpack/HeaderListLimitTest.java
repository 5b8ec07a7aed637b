package dev.peregrine.wire.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.wire.Headers;
import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

/** The soft and the hard limit of a header list, both in decoded bytes. */
class HeaderListLimitTest {

  private static final int FIELD_BYTES = 1 + 1 + 32; // of the field "a: b"
  private static final String FIELD = "00 01 61 01 62";
  private static final String INDEXED_FIELD = "40 01 61 01 63";

  private final HpackDecoder decoder = new HpackDecoder(4096, 2 * FIELD_BYTES, 4 * FIELD_BYTES);

  @Test
  void listAtTheSoftLimitIsWhole() throws HpackException {
    assertEquals(2, Blocks.decode(decoder, FIELD + FIELD).size());
    assertEquals(2 * FIELD_BYTES, decoder.listBytes());
    assertFalse(decoder.truncated());
  }

  @Test
  void fieldsBeyondTheSoftLimitAreCountedAndIndexedButLeftOut() throws HpackException {
    assertEquals(
        "a: b\na: b\n", Blocks.decode(decoder, FIELD + FIELD + FIELD + INDEXED_FIELD).toString());
    assertEquals(4 * FIELD_BYTES, decoder.listBytes());
    assertTrue(decoder.truncated());

    assertEquals("a: c\n", Blocks.decode(decoder, "be").toString());
    assertEquals(FIELD_BYTES, decoder.listBytes());
    assertFalse(decoder.truncated());
  }

  @Test
  void truncatedListsAreNotCached() throws HpackException {
    String block = FIELD + FIELD + FIELD;
    Headers first = Blocks.decode(decoder, block);
    assertNotSame(first, Blocks.decode(decoder, block));
    assertTrue(decoder.truncated());
  }

  @Test
  void listBeyondTheHardLimitIsRefused() {
    HpackException fault =
        assertThrows(
            HpackException.class,
            () -> Blocks.decode(decoder, FIELD + FIELD + FIELD + FIELD + "82"));
    assertTrue(fault.getMessage().contains("hard limit"), fault.getMessage());
  }

  @Test
  void bombOfIndexedFieldsStopsAtTheHardLimit() throws HpackException {
    HpackDecoder bombed = Blocks.decoder();
    byte[] bomb = bomb(4000, 16 * 1024);
    // Fields of 4 KB, of which two are stored: nothing but small objects may be allocated.
    assertThrows(HpackException.class, () -> bombed.decode(bomb, 0, bomb.length));
    assertEquals(1, bombed.table().entries());
    assertTrue(bombed.listBytes() <= Blocks.HARD_LIST_BYTES);

    long before = Allocation.bytes();
    HpackException fault = null;
    try {
      bombed.decode(bomb, 0, bomb.length);
    } catch (HpackException e) {
      fault = e;
    }
    long allocated = Allocation.bytes() - before;
    assertTrue(fault != null, "the bomb was accepted");
    assertTrue(allocated < 16 * 1024, "allocated " + allocated + " bytes");
  }

  /** A literal of {@code valueBytes} that is indexed, then {@code times} the index. */
  private static byte[] bomb(int valueBytes, int times) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.writeBytes(Blocks.hex("40 01 61 7f"));
    block.write(((valueBytes - 127) & 0x7f) | 0x80);
    block.write((valueBytes - 127) >>> 7);
    block.writeBytes(new byte[valueBytes]);
    for (int i = 0; i < times; i++) {
      block.write(0xbe);
    }
    return block.toByteArray();
  }
}
