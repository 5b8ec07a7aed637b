package dev.peregrine.wire.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.wire.Headers;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** When a repeated block is answered with the same object, and when it must not be. */
class HeaderBlockCacheTest {

  private static final String LITERAL = "83 00 01 61 01 62"; // :method: POST, a: b
  private static final String INDEX_C = "40 01 63 01 64"; // c: d, indexed
  private static final String INDEX_E = "40 01 65 01 66"; // e: f, indexed

  private final HpackDecoder decoder = Blocks.decoder();

  @Test
  void repeatedBlockIsTheSameObject() throws HpackException {
    Headers first = Blocks.decode(decoder, LITERAL);
    first.attachment("kept");
    Blocks.decode(decoder, "82");
    Headers again = Blocks.decode(decoder, LITERAL);
    assertSame(first, again);
    assertEquals("kept", again.attachment());
    assertEquals(first.listBytes(), decoder.listBytes());
    assertFalse(decoder.truncated());
  }

  @Test
  void repeatedBlockIsFoundAtAnyPlaceInAnArray() throws HpackException {
    byte[] block = Blocks.hex(LITERAL);
    byte[] twice = Arrays.copyOf(block, block.length * 2 + 3);
    System.arraycopy(block, 0, twice, block.length + 3, block.length);
    Headers first = decoder.decode(twice, 0, block.length);
    Arrays.fill(twice, 0, block.length, (byte) 0);
    assertSame(first, decoder.decode(twice, block.length + 3, block.length));
  }

  @Test
  void blockThatIndexesIsDecodedEachTime() throws HpackException {
    Headers first = Blocks.decode(decoder, INDEX_C);
    assertNotSame(first, Blocks.decode(decoder, INDEX_C));
    assertEquals(2, decoder.table().entries());
  }

  @Test
  void newEntryGivesTheSameBytesAnotherMeaning() throws HpackException {
    Blocks.decode(decoder, INDEX_C);
    assertEquals("c: d\n", Blocks.decode(decoder, "be").toString());
    Blocks.decode(decoder, INDEX_E);
    assertEquals("e: f\n", Blocks.decode(decoder, "be").toString());
  }

  @Test
  void newEntryEndsEveryCachedBlock() throws HpackException {
    Headers first = Blocks.decode(decoder, LITERAL);
    Blocks.decode(decoder, INDEX_C);
    Headers second = Blocks.decode(decoder, LITERAL);
    assertNotSame(first, second);
    assertEquals(first.toString(), second.toString());
    assertSame(second, Blocks.decode(decoder, LITERAL));
  }

  @Test
  void sizeUpdateEndsEveryCachedBlockAndIsNeverSkipped() throws HpackException {
    Headers first = Blocks.decode(decoder, LITERAL);
    String update = "3f 45" + LITERAL; // 100 bytes
    Blocks.decode(decoder, update);
    assertNotSame(first, Blocks.decode(decoder, LITERAL));
    Blocks.decode(decoder, "3f e1 1f 82");
    assertEquals(4096, decoder.table().maxBytes());
    Blocks.decode(decoder, update);
    assertEquals(100, decoder.table().maxBytes());
  }

  @Test
  void blockWithAnEntryLargerThanTheTableIsCachedOnceTheTableIsEmpty() throws HpackException {
    Blocks.decode(decoder, "20 82");
    Headers first = Blocks.decode(decoder, INDEX_C);
    assertSame(first, Blocks.decode(decoder, INDEX_C));
  }

  @Test
  void longBlockIsNotCached() throws HpackException {
    byte[] block = new byte[HeaderBlockCache.MAX_BLOCK_BYTES + 1];
    Arrays.fill(block, (byte) 0x82);
    Headers longest = decoder.decode(block, 0, block.length - 200);
    assertSame(longest, decoder.decode(block, 0, block.length - 200));
    Headers tooLong = decoder.decode(block, 0, block.length);
    assertNotSame(tooLong, decoder.decode(block, 0, block.length));
  }

  @Test
  void shortBlockOfManyBytesIsNotCached() throws HpackException {
    String text = "61".repeat(2000);
    Blocks.decode(decoder, "40 01 61 7f d1 0e" + text); // one entry of 2033 bytes
    assertSame(Blocks.decode(decoder, "be be"), Blocks.decode(decoder, "be be"));
    assertNotSame(Blocks.decode(decoder, "be be be"), Blocks.decode(decoder, "be be be"));
  }

  @Test
  void oldestBlockMakesRoom() {
    HeaderBlockCache cache = new HeaderBlockCache();
    Headers[] fields = new Headers[HeaderBlockCache.MAX_ENTRIES + 1];
    byte[] block = new byte[100];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = new Headers();
      block[50] = (byte) i;
      cache.add(block, i, 100 - i, fields[i]);
    }
    for (int i = 0; i < fields.length; i++) {
      block[50] = (byte) i;
      Headers found = cache.find(block, i, 100 - i);
      if (i == 0) {
        assertNull(found);
      } else {
        assertSame(fields[i], found);
      }
    }
  }

  @Test
  void clearedCacheIsEmptyAndTakesNewBlocks() {
    HeaderBlockCache cache = new HeaderBlockCache();
    byte[] block = {1, 2, 3};
    cache.add(block, 0, 3, new Headers());
    cache.clear();
    assertNull(cache.find(block, 0, 3));
    Headers second = new Headers();
    cache.add(block, 0, 2, second);
    assertNull(cache.find(block, 0, 3));
    assertSame(second, cache.find(block, 0, 2));
  }

  @Test
  void boundsAreInclusive() {
    assertTrue(HeaderBlockCache.accepts(256, 4096));
    assertFalse(HeaderBlockCache.accepts(257, 4096));
    assertFalse(HeaderBlockCache.accepts(256, 4097));
  }
}
