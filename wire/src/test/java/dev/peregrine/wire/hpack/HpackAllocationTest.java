package dev.peregrine.wire.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.wire.Headers;
import dev.peregrine.wire.Output;
import dev.peregrine.wire.ResponseHead;
import org.junit.jupiter.api.Test;

/** In the steady state of a connection neither direction allocates. */
class HpackAllocationTest {

  private static final int ROUNDS = 2_000;

  @Test
  void repeatedBlockIsDecodedWithoutAllocation() throws HpackException {
    HpackDecoder decoder = Blocks.decoder();
    Blocks.decode(
        decoder, "83 86 44 8c 62 53 9b 26 b5 b1 1f 2a e8 4c e9 3f 5f 8b 1d75d0620d263d4c4d6564");
    byte[] block = Blocks.hex("83 86 bf be 0f 0d 02 31 35");
    int fields = 0;
    for (int i = 0; i < ROUNDS; i++) {
      fields += decoder.decode(block, 0, block.length).size();
    }
    long before = Allocation.bytes();
    for (int i = 0; i < ROUNDS; i++) {
      fields += decoder.decode(block, 0, block.length).size();
    }
    long allocated = Allocation.bytes() - before;
    assertEquals(2 * ROUNDS * 5, fields);
    assertTrue(allocated < ROUNDS, allocated + " bytes in " + ROUNDS + " rounds");
  }

  @Test
  void repeatedHeadIsEncodedWithoutAllocation() {
    HpackEncoder encoder = new HpackEncoder();
    ResponseHead head = ResponseHead.of(200, new Headers().add("content-type", "application/grpc"));
    ResponseHead trailers = ResponseHead.trailers(new Headers().add("grpc-status", "0"));
    Headers extra = new Headers().add("x-trace", "7f3a").add("retry-after", "5");
    Output out = new Output();
    for (int i = 0; i < ROUNDS; i++) {
      reply(encoder, head, trailers, extra, out);
    }
    long before = Allocation.bytes();
    for (int i = 0; i < ROUNDS; i++) {
      reply(encoder, head, trailers, extra, out);
    }
    long allocated = Allocation.bytes() - before;
    assertEquals(2 + 1 + 11 + 4, out.size()); // head, trailers, two extra fields
    assertTrue(allocated < ROUNDS, allocated + " bytes in " + ROUNDS + " rounds");
  }

  private static void reply(
      HpackEncoder encoder, ResponseHead head, ResponseHead trailers, Headers extra, Output out) {
    out.clear();
    encoder.encode(head, null, out);
    encoder.encode(trailers, extra, out);
  }

  @Test
  void fieldsWithKnownNamesCostOnlyTheirValues() throws HpackException {
    HpackDecoder decoder = Blocks.decoder();
    byte[] block = new byte[300]; // too long for the cache
    byte[] field = Blocks.hex("00 0b 677270632d737461747573 00"); // grpc-status, empty
    int length = 0;
    while (length + field.length <= block.length) {
      System.arraycopy(field, 0, block, length, field.length);
      length += field.length;
    }
    int fields = 0;
    for (int i = 0; i < ROUNDS; i++) {
      fields += decoder.decode(block, 0, length).size();
    }
    long before = Allocation.bytes();
    for (int i = 0; i < ROUNDS; i++) {
      fields += decoder.decode(block, 0, length).size();
    }
    long allocated = Allocation.bytes() - before;
    int perBlock = length / field.length;
    assertEquals(2 * ROUNDS * perBlock, fields);
    // One Headers with its arrays, grown once: no name and no value was made anew.
    assertTrue(allocated / ROUNDS < 512, allocated / ROUNDS + " bytes per block");
  }
}
