package dev.peregrine.conformance;

import static dev.peregrine.conformance.RawClient.ECHO;
import static dev.peregrine.conformance.RawClient.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.conformance.v1.EchoRequest;
import dev.peregrine.wire.ErrorCode;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pitfalls H: field blocks that are broken, or far larger than they look (RFC 7541). */
class HpackPitfallsTest {

  private static final byte[] EMPTY_MESSAGE = message(EchoRequest.getDefaultInstance());
  private static final int RESOURCE_EXHAUSTED = 8;

  /** An indexed field, the newest entry of the dynamic table. */
  private static final int NEWEST_ENTRY = 0x80 | 62;

  private static ProbeServer server;

  @BeforeAll
  static void start() throws IOException {
    server = ProbeServer.inline();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  static Stream<Named<FieldBlock>> broken() {
    return Stream.of(
        Named.of("index 0", call().raw(0x80)),
        Named.of("index beyond both tables", call().raw(0x80 | 70)),
        // The one case that h2spec 2.6.0 has and its older releases lack.
        Named.of("literal whose name has an index beyond both tables", call().raw(0x7f, 7, 0)),
        Named.of("index of more than 32 bits", call().raw(0xff, 255, 255, 255, 255, 255, 127)),
        Named.of("integer that does not end", call().raw(0xff, 255, 255)),
        Named.of("name that ends too early", call().raw(0x00, 5, 'a')),
        Named.of("value that ends too early", call().raw(0x00, 1, 'a', 5, 'b')),
        Named.of("Huffman padding of 8 bits", call().raw(0x00, 0x82, 0x1f, 0xff, 1, 'b')),
        Named.of("Huffman padding of zeros", call().raw(0x00, 0x81, 0x18, 1, 'b')),
        Named.of("EOS in Huffman code", call().raw(0x00, 0x84, 0xff, 0xff, 0xff, 0xff, 1, 'b')),
        Named.of("table size above our setting", FieldBlock.empty().raw(0x3f, 0xe2, 0x1f)),
        Named.of("table size after a field", call().raw(0x20)),
        Named.of("three table sizes", FieldBlock.empty().raw(0x20, 0x20, 0x20).then(call())));
  }

  // P89
  @ParameterizedTest
  @MethodSource("broken")
  void aBrokenBlockEndsTheConnection(FieldBlock block) throws IOException {
    try (RawClient client = server.connect()) {
      client.headers(client.newStream(), block, true).send();
      client.expectConnectionError(ErrorCode.COMPRESSION_ERROR);
      assertTrue(!client.goawayText().isBlank(), "GOAWAY does not say what is wrong");
    }
  }

  // P89
  @Test
  void twoTableSizesAtTheStartAreFine() throws IOException {
    try (RawClient client = server.connect()) {
      FieldBlock block = FieldBlock.empty().raw(0x20, 0x3f, 0xe1, 0x1f).then(call());
      assertEquals(0, client.call(block, EMPTY_MESSAGE).status());
      client.expectSecondCall();
    }
  }

  // P89: 4 KB in the table, named ever again in a byte each: above what we announced, the call is
  // refused.
  @Test
  void anEntryNamedAgainIsCountedAtItsFullSize() throws IOException {
    try (RawClient client = server.connect()) {
      int before = server.calls();
      int stream = client.newStream();
      client.frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, stream, bomb(3)).send();
      Reply reply = client.reply(stream);
      assertEquals("431", reply.field(":status"), reply::toString);
      assertEquals(before, server.calls());
      client.expectSecondCall();
    }
  }

  // P89: far above it, the connection ends. RFC 9113, 4.3: a field block that is not decoded to its
  // end is a COMPRESSION_ERROR.
  @ParameterizedTest
  @ValueSource(ints = {64, 1_000, 16_000})
  void anEntryNamedOverAndOverEndsTheConnection(int times) throws IOException {
    try (RawClient client = server.connect()) {
      int before = server.calls();
      int stream = client.newStream();
      byte[] bomb = bomb(times);
      int half = bomb.length / 2;
      client.frame(Frame.HEADERS, Frame.END_STREAM, stream, Arrays.copyOf(bomb, half));
      client.frame(
          Frame.CONTINUATION,
          Frame.END_HEADERS,
          stream,
          Arrays.copyOfRange(bomb, half, bomb.length));
      client.send();
      client.expectConnectionError(ErrorCode.COMPRESSION_ERROR);
      assertTrue(client.goawayText().contains("limit"), client.goawayText());
      assertEquals(before, server.calls());
    }
  }

  private static byte[] bomb(int times) {
    byte[] first = call().withIndexing("x", "v".repeat(4000)).encode();
    byte[] bomb = Arrays.copyOf(first, first.length + times);
    Arrays.fill(bomb, first.length, bomb.length, (byte) NEWEST_ENTRY);
    return bomb;
  }

  // Pitfall of the same kind: metadata over the announced limit costs its own call only.
  @ParameterizedTest
  @ValueSource(ints = {9_000, 15_000})
  void aHeaderListOverTheLimitCostsItsCallOnly(int valueBytes) throws IOException {
    try (RawClient client = server.connect()) {
      int before = server.calls();
      FieldBlock block = call().with("echo-large", "v".repeat(valueBytes));
      Reply reply = client.call(block.withIndexing("echo-step", "in step"), EMPTY_MESSAGE);
      assertEquals("431", reply.field(":status"), reply::toString);
      assertEquals(RESOURCE_EXHAUSTED, reply.status());
      assertEquals(before, server.calls());
      assertEquals(0, client.call(call().raw(NEWEST_ENTRY), EMPTY_MESSAGE).status());
      client.expectSecondCall();
    }
  }

  // P89: fields of no length at all still take room.
  @Test
  void manyTinyFieldsAreCounted() throws IOException {
    try (RawClient client = server.connect()) {
      FieldBlock block = call();
      for (int i = 0; i < 400; i++) {
        block.with("a", "");
      }
      Reply reply = client.call(block, EMPTY_MESSAGE);
      assertEquals("431", reply.field(":status"), reply::toString);
      client.expectSecondCall();
    }
  }

  private static FieldBlock call() {
    return FieldBlock.call(ECHO);
  }
}
