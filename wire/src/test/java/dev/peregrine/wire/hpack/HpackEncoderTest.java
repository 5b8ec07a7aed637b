package dev.peregrine.wire.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.wire.Headers;
import dev.peregrine.wire.ResponseHead;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of response heads and trailers, and when the table changes. */
class HpackEncoderTest {

  private static final ResponseHead GRPC =
      ResponseHead.of(200, new Headers().add("content-type", "application/grpc"));
  private static final ResponseHead OK_TRAILERS =
      ResponseHead.trailers(new Headers().add("grpc-status", "0"));
  private static final ResponseHead EMPTY = ResponseHead.trailers(new Headers());

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

  @Test
  void equalHeadsShareTheirEntries() {
    hex(GRPC);
    ResponseHead equal =
        ResponseHead.of(200, new Headers().add("content-type", "application/grpc"));
    assertEquals("88be", hex(equal));
    assertEquals(1, encoder.table().entries());
  }

  @ParameterizedTest
  @CsvSource({"200,88", "204,89", "206,8a", "304,8b", "400,8c", "404,8d", "500,8e"})
  void usualStatusIsOneByte(int status, String hex) {
    assertEquals(hex, hex(ResponseHead.of(status, new Headers())));
  }

  @Test
  void otherStatusIsIndexedUnderTheStaticName() {
    ResponseHead head = ResponseHead.of(431, new Headers());
    assertEquals("4803343331", hex(head));
    assertEquals("be", hex(head));
  }

  @Test
  void extraFieldsFollowAndAreNeverInTheTable() throws HpackException {
    Headers extra = new Headers().add("retry-after", "5").add("x-id", "7").add("etag", "");
    for (int i = 0; i < 2; i++) {
      String hex = Blocks.encodeHex(encoder, OK_TRAILERS, extra);
      assertTrue(hex.endsWith("0f260135" + "0083f2b1a4" + "0137" + "0f1300"), hex);
      assertEquals(
          "grpc-status: 0\nretry-after: 5\nx-id: 7\netag: \n", Blocks.decode(peer, hex).toString());
    }
    assertEquals("grpc-status: 0\n", Blocks.text(encoder.table()));
  }

  @Test
  void extraFieldBorrowsTheNameOfAnEntry() {
    hex(OK_TRAILERS);
    Headers extra = new Headers().add("grpc-status", "5");
    assertEquals("0f2f0135", Blocks.encodeHex(encoder, EMPTY, extra));
  }

  @ParameterizedTest
  @ValueSource(strings = {"authorization", "cookie", "proxy-authorization", "set-cookie"})
  void secretsAreNeverIndexed(String name) throws HpackException {
    Headers secret = new Headers().add(name, "k");
    String inHead = hex(ResponseHead.trailers(secret));
    String inExtra = Blocks.encodeHex(encoder, EMPTY, secret);
    assertEquals(inHead, inExtra);
    assertEquals("1f", inHead.substring(0, 2)); // 0001, and an index above 14
    assertEquals(name + ": k\n", Blocks.decode(peer, inHead).toString());
    assertEquals(0, encoder.table().entries());
  }

  @Test
  void fieldThatWouldEvictIsALiteral() throws HpackException {
    hex(GRPC);
    hex(OK_TRAILERS);
    int used = encoder.table().bytes();
    int room = HpackEncoder.MAX_TABLE_BYTES - used - 32 - "x".length();
    ResponseHead tooLarge = ResponseHead.trailers(new Headers().add("x", "v".repeat(room + 1)));
    ResponseHead fitting = ResponseHead.trailers(new Headers().add("x", "v".repeat(room)));
    assertEquals("00", hex(tooLarge).substring(0, 2));
    assertEquals(used, encoder.table().bytes());
    assertEquals("40", hex(fitting).substring(0, 2));
    assertEquals(HpackEncoder.MAX_TABLE_BYTES, encoder.table().bytes());

    ResponseHead late = ResponseHead.trailers(new Headers().add("y", ""));
    assertEquals("00017900", hex(late));
    assertEquals(3, encoder.table().entries());
    assertEquals("88c0", hex(GRPC));
  }

  @Test
  void withoutATableEverythingIsALiteral() throws HpackException {
    encoder.maxTableBytes(0);
    assertEquals("20" + "88" + "0f108b1d75d0620d263d4c4d6564", hex(GRPC));
    assertEquals("00889acac8b21234da8f0130", hex(OK_TRAILERS));
    assertEquals("880f108b1d75d0620d263d4c4d6564", hex(GRPC));
    assertEquals(0, encoder.table().entries());
  }

  @Test
  void largerTableOfThePeerChangesNothing() {
    encoder.maxTableBytes(65_536);
    encoder.maxTableBytes(-1); // 2^32 - 1
    encoder.maxTableBytes(4096);
    assertEquals("88", hex(ResponseHead.of(200, new Headers())));
    assertEquals(4096, encoder.table().maxBytes());
  }

  @Test
  void smallestAndFinalSizeAreTold() throws HpackException {
    indexBothHeads();
    encoder.maxTableBytes(100);
    encoder.maxTableBytes(50);
    encoder.maxTableBytes(70);
    String hex = hex(OK_TRAILERS);
    assertEquals("3f13" + "3f27" + "be", hex);
    assertEquals("grpc-status: 0\n", Blocks.decode(peer, hex).toString());
    assertEquals("grpc-status: 0\n", Blocks.text(encoder.table()));
    assertEquals("88" + "0f108b1d75d0620d263d4c4d6564", hex(GRPC));
  }

  @Test
  void tableEmptiedBetweenTwoBlocksIsFilledAgain() throws HpackException {
    indexBothHeads();
    encoder.maxTableBytes(0);
    encoder.maxTableBytes(4096);
    String first = hex(GRPC);
    assertEquals("20" + "3fe11f" + "885f8b1d75d0620d263d4c4d6564", first);
    Blocks.decode(peer, first);
    assertEquals(Blocks.text(encoder.table()), Blocks.text(peer.table()));
    assertEquals("88be", hex(GRPC));
  }

  @Test
  void sizeStaysWithinWhatThePeerAllows() {
    encoder.maxTableBytes(59);
    hex(GRPC); // 60 bytes
    assertEquals(0, encoder.table().entries());
    hex(OK_TRAILERS); // 44 bytes
    assertEquals(44, encoder.table().bytes());
    encoder.maxTableBytes(43);
    hex(GRPC);
    assertEquals(0, encoder.table().bytes());
  }

  @Test
  void manyHeadsInTurnAreEachEncodedRight() throws HpackException {
    List<ResponseHead> heads = new ArrayList<>();
    for (int i = 0; i < 3 * EncodedHeads.MAX_ENTRIES; i++) {
      heads.add(ResponseHead.trailers(new Headers().add("x-" + i, "v" + i)));
    }
    for (int round = 0; round < 4; round++) {
      for (ResponseHead head : heads) {
        assertEquals(head.headers().toString(), Blocks.decode(peer, hex(head)).toString());
        assertEquals(head.headers().toString(), Blocks.decode(peer, hex(head)).toString());
      }
    }
  }

  @Test
  void longHeadIsEncodedEachTime() throws HpackException {
    String value = "\u0001".repeat(5000);
    ResponseHead head = ResponseHead.trailers(new Headers().add("x", value));
    for (int i = 0; i < 2; i++) {
      assertEquals("x: " + value + "\n", Blocks.decode(peer, hex(head)).toString());
    }
  }

  @Test
  void charactersBeyondOneByteCannotBecomeLineBreaks() throws HpackException {
    Headers extra = new Headers().add("x", "\u010a\u0001\u0002").add("y", "a\u4e0d\u4e0aa");
    String fields = Blocks.decode(peer, Blocks.encodeHex(encoder, EMPTY, extra)).toString();
    assertEquals("x: ?\u0001\u0002\ny: a??a\n", fields);
  }

  private void indexBothHeads() throws HpackException {
    Blocks.decode(peer, hex(GRPC));
    Blocks.decode(peer, hex(OK_TRAILERS));
    hex(GRPC);
    hex(OK_TRAILERS);
  }

  private String hex(ResponseHead head) {
    return Blocks.encodeHex(encoder, head, null);
  }
}
