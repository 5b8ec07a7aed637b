package dev.peregrine.wire.hpack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.ResponseHead;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Arbitrary bytes into the decoder, arbitrary fields through the encoder. */
class HpackFuzzTest {

  private static final int TABLE_BYTES = 4096;
  private static final int SOFT_LIST_BYTES = 1024;
  private static final int HARD_LIST_BYTES = 4096;

  /**
   * Blocks of a connection, each after a byte that tells its length: nothing but an HpackException
   * comes out, and every bound holds. A second decoder that never sees a block twice in a row, so
   * never uses its cache, must hear the same.
   */
  @FuzzTest
  void decoderStaysWithinItsBounds(byte[] data) {
    HpackDecoder decoder = decoder();
    HpackDecoder uncached = decoder();
    try {
      int offset = 0;
      while (offset < data.length) {
        int length = Math.min(data[offset++] & 0xff, data.length - offset);
        Headers fields = decoder.decode(data, offset, length);
        check(decoder, fields);
        forget(uncached);
        assertEquals(fields.toString(), uncached.decode(data, offset, length).toString());
        assertEquals(Blocks.text(decoder.table()), Blocks.text(uncached.table()));
        offset += length;
      }
    } catch (HpackException expected) {
      assertEquals(0, expected.getStackTrace().length);
      assertTrue(decoder.table().bytes() <= TABLE_BYTES);
    }
  }

  private static void check(HpackDecoder decoder, Headers fields) {
    assertTrue(decoder.listBytes() <= HARD_LIST_BYTES);
    assertTrue(fields.listBytes() <= SOFT_LIST_BYTES);
    assertEquals(decoder.truncated(), decoder.listBytes() > SOFT_LIST_BYTES);
    assertEquals(decoder.truncated(), decoder.listBytes() != fields.listBytes());
    assertTrue(decoder.table().bytes() <= decoder.table().maxBytes());
    assertTrue(decoder.table().maxBytes() <= TABLE_BYTES);
  }

  /** Pushes everything out of the decoder's block cache. */
  private static void forget(HpackDecoder decoder) throws HpackException {
    for (int i = 0; i < HeaderBlockCache.MAX_ENTRIES; i++) {
      byte[] block = {0x10, 1, 0, 1, (byte) i}; // a name that no seed uses
      decoder.decode(block, 0, block.length);
    }
  }

  /** What can be decoded at all is the encoding of what comes out. */
  @FuzzTest
  void huffmanAcceptsOnlyWhatItWouldWrite(byte[] data) {
    byte[] out = new byte[Huffman.maxDecodedBytes(data.length)];
    int size;
    try {
      size = Huffman.decode(data, 0, data.length, out);
    } catch (HpackException expected) {
      return;
    }
    String text = new String(out, 0, size, StandardCharsets.ISO_8859_1);
    byte[] encoded = new byte[Huffman.encodedBytes(text)];
    Huffman.encode(text, encoded, 0);
    assertArrayEquals(data, encoded);
  }

  /** Any string of bytes survives. */
  @FuzzTest
  void huffmanRoundTrip(byte[] data) throws HpackException {
    String text = new String(data, StandardCharsets.ISO_8859_1);
    byte[] encoded = new byte[Huffman.encodedBytes(text)];
    Huffman.encode(text, encoded, 0);
    byte[] out = new byte[Huffman.maxDecodedBytes(encoded.length)];
    int size = Huffman.decode(encoded, 0, encoded.length, out);
    assertArrayEquals(data, Arrays.copyOf(out, size));
  }

  /** Any heads, extra fields and settings: the peer hears what was said. */
  @FuzzTest
  void encoderIsUnderstood(FuzzedDataProvider data) throws HpackException {
    HpackEncoder encoder = new HpackEncoder();
    HpackDecoder peer = new HpackDecoder(TABLE_BYTES, Integer.MAX_VALUE, Integer.MAX_VALUE);
    while (data.remainingBytes() > 0) {
      ResponseHead head = ResponseHead.of(data.consumeInt(100, 999), fields(data));
      Headers extra = data.consumeBoolean() ? fields(data) : null;
      if (data.consumeBoolean()) {
        encoder.maxTableBytes(data.consumeInt());
      }
      String expected =
          ":status: " + head.status() + "\n" + head.headers() + (extra == null ? "" : extra);
      for (int i = 0; i < 3; i++) {
        byte[] block = Blocks.encode(encoder, head, extra);
        assertEquals(expected, peer.decode(block, 0, block.length).toString());
        assertEquals(Blocks.text(encoder.table()), Blocks.text(peer.table()));
      }
    }
  }

  private static Headers fields(FuzzedDataProvider data) {
    Headers fields = new Headers();
    int size = data.consumeInt(0, 4);
    for (int i = 0; i < size; i++) {
      int known = data.consumeInt(0, 2 * StaticTable.SIZE);
      boolean useStatic = known >= 1 && known <= StaticTable.SIZE;
      String name = useStatic ? StaticTable.name(known).toString() : text(data, 20);
      fields.add(name, text(data, 200));
    }
    return fields;
  }

  private static String text(FuzzedDataProvider data, int maxLength) {
    int length = data.consumeInt(0, maxLength);
    return new String(data.consumeBytes(length), StandardCharsets.ISO_8859_1);
  }

  private static HpackDecoder decoder() {
    return new HpackDecoder(TABLE_BYTES, SOFT_LIST_BYTES, HARD_LIST_BYTES);
  }
}
