package dev.peregrine.wire.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.peregrine.wire.Headers;
import dev.peregrine.wire.ResponseHead;
import org.junit.jupiter.api.Test;

class HpackEncoderTest {

  private static final ResponseHead GRPC =
      ResponseHead.of(200, new Headers().add("content-type", "application/grpc"));
  private static final ResponseHead OK_TRAILERS =
      ResponseHead.trailers(new Headers().add("grpc-status", "0"));

  private final HpackEncoder encoder = new HpackEncoder();
  private final HpackDecoder peer = Blocks.decoder();

  @Test
  void firstReplyIndexesAndLaterOnesAreThreeBytes() {
    assertEquals("885f8b1d75d0620d263d4c4d6564", hex(GRPC));
    assertEquals("40889acac8b21234da8f0130", hex(OK_TRAILERS));
    for (int i = 0; i < 3; i++) {
      assertEquals("88bf", hex(GRPC));
      assertEquals("be", hex(OK_TRAILERS));
    }
  }

  @Test
  void peerDecodesFirstAndLaterReplies() throws HpackException {
    for (int i = 0; i < 3; i++) {
      assertEquals(
          ":status: 200\ncontent-type: application/grpc\n",
          Blocks.decode(peer, hex(GRPC)).toString());
      assertEquals("grpc-status: 0\n", Blocks.decode(peer, hex(OK_TRAILERS)).toString());
    }
  }

  private String hex(ResponseHead head) {
    return Blocks.encodeHex(encoder, head, null);
  }
}
