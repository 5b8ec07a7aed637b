package dev.peregrine.conformance;

import static dev.peregrine.conformance.RawClient.ECHO;
import static dev.peregrine.conformance.RawClient.message;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.peregrine.conformance.v1.EchoRequest;
import dev.peregrine.conformance.v1.MetadataRequest;
import dev.peregrine.wire.ErrorCode;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pitfalls A: a malformed request costs its stream and nothing else (RFC 9113, 8.1.1), and its
 * whole field block is decoded, so that both ends' tables stay in step.
 */
class HeaderPitfallsTest {

  private static final String METADATA = "/peregrine.conformance.v1.Probe/Metadata";
  private static final byte[] EMPTY_MESSAGE = message(EchoRequest.getDefaultInstance());

  /** RFC 7541, 6.1: an indexed field, the newest entry of the dynamic table. */
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

  static Stream<Named<FieldBlock>> malformed() {
    return Stream.of(
        // P4
        fields("empty :path", call().set(":path", "")),
        fields("connection", call().with("connection", "close")),
        fields("keep-alive", call().with("keep-alive", "timeout=5")),
        fields("proxy-connection", call().with("proxy-connection", "keep-alive")),
        fields("transfer-encoding", call().with("transfer-encoding", "chunked")),
        fields("upgrade", call().with("upgrade", "h2c")),
        fields("te: gzip", call().set("te", "gzip")),
        fields("te: trailers, gzip", call().set("te", "trailers, gzip")),
        // P5
        fields("no :method", call().without(":method")),
        fields("no :scheme", call().without(":scheme")),
        fields("no :path", call().without(":path")),
        fields("nothing at all", FieldBlock.empty()),
        // P6
        fields("two :method", FieldBlock.empty().with(":method", "POST").then(call())),
        fields("two :scheme", FieldBlock.empty().with(":scheme", "http").then(call())),
        fields("two :path", FieldBlock.empty().with(":path", ECHO).then(call())),
        fields("two :authority", FieldBlock.empty().with(":authority", "a").then(call())),
        fields("late :path", call().without(":path").with(":path", ECHO)),
        fields("unknown :foo", FieldBlock.empty().with(":foo", "1").then(call())),
        fields(":status in a request", FieldBlock.empty().with(":status", "200").then(call())),
        // P8
        fields("space in a name", call().with("x y", "1")),
        fields("colon in a name", call().with("x:y", "1")),
        fields("upper case in a name", call().with("X-y", "1")),
        fields("NUL in a name", call().with("x\0y", "1")),
        fields("DEL in a name", call().with("x\177y", "1")),
        fields("beyond ASCII in a name", call().withName("xé".getBytes(UTF_8), "1")),
        fields("0x80 in a name", call().withName("x\u0080".getBytes(ISO_8859_1), "1")),
        fields("empty name", call().with("", "1")),
        // RFC 7541, appendix B: x is 1111001, space 010100, y 1111010; then ones.
        fields("space, in Huffman code", call().withHuffmanName(bytes(0xf2, 0xa7, 0xaf), "1")),
        // X is 11111100, y 1111010; then ones.
        fields("upper case, in Huffman code", call().withHuffmanName(bytes(0xfc, 0xf5), "1")),
        fields("CR in a value", call().with("x", "a\rb")),
        fields("LF in a value", call().with("x", "a\nb")),
        fields("NUL in a value", call().with("x", "a\0b")),
        fields("space before a value", call().with("x", " a")),
        fields("tab after a value", call().with("x", "a\t")),
        fields("line break in :path", call().set(":path", ECHO + "\r\nx: y")));
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void aMalformedRequestIsAStreamErrorAndTablesStayInStep(FieldBlock block) throws IOException {
    try (RawClient client = server.connect()) {
      int before = server.calls();
      int stream = client.newStream();
      block.withIndexing("echo-step", "in step");
      client.headers(stream, block, false).data(stream, EMPTY_MESSAGE, true).send();
      Reply reply = client.reply(stream);
      assertEquals("RST_STREAM", reply.frames(), reply::toString);
      assertEquals(ErrorCode.PROTOCOL_ERROR, ErrorCode.of(reply.resetCode()));
      assertEquals(before, server.calls());
      expectInStep(client);
      client.expectSecondCall();
    }
  }

  // P6
  @ParameterizedTest
  @ValueSource(strings = {":path", ":status", ":foo"})
  void aPseudoHeaderInTrailersIsAStreamError(String name) throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      FieldBlock trailers = FieldBlock.empty().with(name, "1").withIndexing("echo-step", "in step");
      client
          .headers(stream, call(), false)
          .data(stream, EMPTY_MESSAGE, false)
          .headers(stream, trailers, true)
          .send();
      Reply reply = client.reply(stream);
      assertEquals(ErrorCode.PROTOCOL_ERROR.code(), reply.resetCode(), reply::toString);
      expectInStep(client);
      client.expectSecondCall();
    }
  }

  @Test
  void trailersWithoutEndStreamAreAStreamError() throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      client
          .headers(stream, call(), false)
          .headers(stream, FieldBlock.empty().with("x", "1"), false)
          .send();
      client.expectStreamError(stream, ErrorCode.PROTOCOL_ERROR);
    }
  }

  @Test
  void aRequestMayEndWithTrailers() throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      client
          .headers(stream, call(), false)
          .data(stream, EMPTY_MESSAGE, false)
          .headers(stream, FieldBlock.empty().with("x", "1"), true)
          .send();
      assertEquals(0, client.reply(stream).status());
      client.expectSecondCall();
    }
  }

  // P7, P4
  @ParameterizedTest
  @ValueSource(
      strings = {"3", "4", "6", "1000000", "-5", "+5", "5, 5", "0x5", "99999999999999999999"})
  void aContentLengthOtherThanTheSumOfDataIsAStreamError(String length) throws IOException {
    try (RawClient client = server.connect()) {
      int before = server.calls();
      int stream = client.newStream();
      client
          .headers(stream, call().with("content-length", length), false)
          .data(stream, EMPTY_MESSAGE, true)
          .send();
      Reply reply = client.reply(stream);
      assertEquals(ErrorCode.PROTOCOL_ERROR.code(), reply.resetCode(), reply::toString);
      assertEquals("RST_STREAM", reply.frames(), "an answer was sent before");
      assertEquals(before, server.calls());
      client.expectSecondCall();
    }
  }

  // P7
  @Test
  void contentLengthCountsContentWithoutPadding() throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      byte[] padded = bytes(3, 0, 0, 0, 0, 0, 0, 0, 0);
      client
          .headers(stream, call().with("content-length", "5"), false)
          .frame(Frame.DATA, Frame.PADDED | Frame.END_STREAM, stream, padded)
          .send();
      assertEquals(0, client.reply(stream).status());
      client.expectSecondCall();
    }
  }

  /** A call whose metadata is the entry that an earlier block put into the dynamic table. */
  private static void expectInStep(RawClient client) throws IOException {
    byte[] request = message(MetadataRequest.getDefaultInstance());
    Reply reply = client.call(FieldBlock.call(METADATA).raw(NEWEST_ENTRY), request);
    assertEquals("in step", reply.field("echo-step"), reply::toString);
  }

  private static FieldBlock call() {
    return FieldBlock.call(ECHO);
  }

  private static Named<FieldBlock> fields(String name, FieldBlock block) {
    return Named.of(name, block);
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }
}
