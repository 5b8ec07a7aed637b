package dev.peregrine.conformance;

import static dev.peregrine.conformance.RawClient.ECHO;
import static dev.peregrine.conformance.RawClient.message;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.peregrine.conformance.v1.EchoRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pitfalls C: prefixes, message borders, sizes, the compressed flag, the number of messages. */
class MessagePitfallsTest {

  private static final int RESOURCE_EXHAUSTED = 8;
  private static final int UNIMPLEMENTED = 12;
  private static final int INTERNAL = 13;
  private static final int MESSAGE_LIMIT_BYTES = 4 << 20;
  private static final int PREFIX_BYTES = 5;

  private static ProbeServer server;

  @BeforeAll
  static void start() throws IOException {
    server = ProbeServer.inline();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  // P25
  @Test
  void aMessageMayComeInFramesOfOneByte() throws IOException {
    byte[] request = echo(100);
    expectEchoInPieces(request, IntStream.rangeClosed(1, request.length).toArray());
  }

  // P25
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void thePrefixMayBeSplitAnywhere(int at) throws IOException {
    byte[] request = echo(100);
    expectEchoInPieces(request, at, request.length);
  }

  // P25
  @Test
  void emptyFramesBetweenMeanNothing() throws IOException {
    byte[] request = echo(100);
    expectEchoInPieces(request, 0, 3, 3, 50, 50, 50, request.length, request.length);
  }

  // P25
  @Test
  void aClientMayEndWithAnEmptyFrame() throws IOException {
    byte[] request = echo(10);
    expectEchoInPieces(request, request.length, request.length);
  }

  // P25: padding is not content.
  @Test
  void paddingIsNotPartOfAMessage() throws IOException {
    byte[] request = echo(100);
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(ECHO), false);
      for (int from = 0; from < request.length; from += 7) {
        byte[] piece = Arrays.copyOfRange(request, from, Math.min(from + 7, request.length));
        byte[] padded = new byte[1 + piece.length + 9];
        padded[0] = 9;
        System.arraycopy(piece, 0, padded, 1, piece.length);
        client.frame(Frame.DATA, Frame.PADDED, stream, padded);
      }
      client.data(stream, new byte[0], true).send();
      assertArrayEquals(request, client.reply(stream).data());
      client.expectSecondCall();
    }
  }

  // P26
  @ParameterizedTest
  @ValueSource(ints = {300_000, 3_900_000, MESSAGE_LIMIT_BYTES - 1, MESSAGE_LIMIT_BYTES})
  void aMessageUpToTheLimitIsServed(int messageBytes) throws IOException {
    byte[] request = echoOfMessageBytes(messageBytes);
    try (RawClient client = server.connect()) {
      client.openWindows();
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(ECHO), false).send();
      client.upload(stream, request, true);
      Reply reply = client.reply(stream);
      assertEquals(0, reply.status(), reply::toString);
      assertArrayEquals(request, reply.data());
      client.expectSecondCall();
    }
  }

  // P27: refused at the prefix, long before the bytes are there; the length is unsigned.
  @ParameterizedTest
  @ValueSource(ints = {MESSAGE_LIMIT_BYTES + 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1})
  void aMessageOverTheLimitIsRefusedAtItsPrefix(int announcedBytes) throws IOException {
    try (RawClient client = server.connect()) {
      int before = server.calls();
      int stream = client.newStream();
      client
          .headers(stream, FieldBlock.call(ECHO), false)
          .data(stream, prefix(0, announcedBytes), false)
          .send();
      Reply reply = client.reply(stream);
      assertEquals("HEADERS+ES", reply.frames(), reply::toString);
      assertEquals(RESOURCE_EXHAUSTED, reply.status());
      assertTrue(reply.field("grpc-message").contains("" + MESSAGE_LIMIT_BYTES), reply::toString);
      // What is still under way is thrown away, and costs nobody else any window.
      client.data(stream, new byte[16_000], false).data(stream, new byte[16_000], true).send();
      assertEquals(before, server.calls());
      client.expectSecondCall();
    }
  }

  // P27: the limit is a setting, and holds for what is served.
  @Test
  void theLimitIsOneSetting() throws IOException {
    try (ProbeServer small =
            ProbeServer.with(
                builder ->
                    builder
                        .execution(dev.peregrine.rpc.Execution.inline())
                        .limits(dev.peregrine.rpc.Limits.DEFAULTS.withMaxRequestBytes(100)));
        RawClient client = small.connect()) {
      assertEquals(0, client.call(FieldBlock.call(ECHO), echoOfMessageBytes(100)).status());
      Reply reply = client.call(FieldBlock.call(ECHO), echoOfMessageBytes(101));
      assertEquals(RESOURCE_EXHAUSTED, reply.status());
      client.expectSecondCall();
    }
  }

  // P29: a few bytes that claim a field of two gigabytes.
  @Test
  void aTinyMessageThatClaimsAHugeFieldIsMalformed() throws IOException {
    byte[] claim = {0x0a, -1, -1, -1, -1, 0x07};
    try (RawClient client = server.connect()) {
      int before = server.calls();
      Reply reply = client.call(FieldBlock.call(ECHO), withPrefix(0, claim));
      assertEquals(INTERNAL, reply.status(), reply::toString);
      assertEquals(before, server.calls());
      client.expectSecondCall();
    }
  }

  // P30
  @Test
  void identityIsAlwaysAKnownEncoding() throws IOException {
    try (RawClient client = server.connect()) {
      FieldBlock fields = FieldBlock.call(ECHO).with("grpc-encoding", "identity");
      Reply reply = client.call(fields, echo(10));
      assertEquals(0, reply.status(), reply::toString);
      assertArrayEquals(echo(10), reply.data());
    }
  }

  // P31: also when no message is compressed.
  @Test
  void anUnknownEncodingIsUnimplementedAndTheKnownAreListed() throws IOException {
    try (RawClient client = server.connect()) {
      int before = server.calls();
      FieldBlock fields = FieldBlock.call(ECHO).with("grpc-encoding", "no-such-encoding");
      Reply reply = client.call(fields, echo(10));
      assertEquals("HEADERS+ES", reply.frames());
      assertEquals(UNIMPLEMENTED, reply.status());
      assertFalse(reply.field("grpc-accept-encoding").isBlank(), reply::toString);
      assertFalse(reply.field("grpc-accept-encoding").contains("no-such"), reply::toString);
      assertEquals(before, server.calls());
      client.expectSecondCall();
    }
  }

  static Stream<Named<String>> encodings() {
    return Stream.of(Named.of("none", null), Named.of("identity", "identity"));
  }

  // P31
  @ParameterizedTest
  @MethodSource("encodings")
  void aCompressedMessageWithoutEncodingIsAnError(String encoding) throws IOException {
    FieldBlock fields = FieldBlock.call(ECHO);
    if (encoding != null) {
      fields.with("grpc-encoding", encoding);
    }
    expectFailure(fields, withPrefix(1, new byte[10]), INTERNAL);
  }

  // P31: the other bits of the flags byte are reserved.
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 0x80, 0xff})
  void aReservedFlagIsAnError(int flags) throws IOException {
    expectFailure(FieldBlock.call(ECHO), withPrefix(flags, new byte[0]), INTERNAL);
  }

  // P34
  @Test
  void anEmptyMessageIsAMessage() throws IOException {
    try (RawClient client = server.connect()) {
      Reply reply = client.call(FieldBlock.call(ECHO), prefix(0, 0));
      assertEquals(0, reply.status(), reply::toString);
      assertArrayEquals(prefix(0, 0), reply.data());
    }
  }

  // P34, P35
  @Test
  void noMessageIsUnimplemented() throws IOException {
    expectFailure(FieldBlock.call(ECHO), new byte[0], UNIMPLEMENTED);
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(ECHO), true).send();
      Reply reply = client.reply(stream);
      assertEquals(UNIMPLEMENTED, reply.status(), reply::toString);
      client.expectSecondCall();
    }
  }

  // P35
  @Test
  void twoMessagesInOneFrameAreUnimplemented() throws IOException {
    int before = server.calls();
    expectFailure(FieldBlock.call(ECHO), concat(echo(10), echo(10)), UNIMPLEMENTED);
    assertTrue(server.calls() <= before + 2, "the handler ran twice");
  }

  // P35
  @Test
  void aSecondMessageInAnotherFrameIsUnimplemented() throws IOException {
    try (RawClient client = server.connect()) {
      int before = server.calls();
      int stream = client.newStream();
      client
          .headers(stream, FieldBlock.call(ECHO), false)
          .data(stream, echo(10), false)
          .data(stream, echo(10), true)
          .send();
      assertEquals(UNIMPLEMENTED, client.reply(stream).status());
      assertTrue(server.calls() <= before + 1, "the handler ran twice");
      client.expectSecondCall();
    }
  }

  // P35: the second one may be cut off, or too large, or announced only.
  @Test
  void piecesOfASecondMessageAreAnError() throws IOException {
    for (byte[] rest : new byte[][] {{0}, prefix(0, 10), prefix(0, -1), prefix(2, 0)}) {
      try (RawClient client = server.connect()) {
        Reply reply = client.call(FieldBlock.call(ECHO), concat(echo(10), rest));
        assertTrue(reply.status() > 0, reply::toString);
        client.expectSecondCall();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 5, 6, 14})
  void aRequestThatEndsInsideAMessageIsAnError(int bytes) throws IOException {
    expectFailure(FieldBlock.call(ECHO), Arrays.copyOf(echo(10), bytes), INTERNAL);
  }

  @Test
  void aRequestThatIsNoProtobufIsAnError() throws IOException {
    expectFailure(FieldBlock.call(ECHO), withPrefix(0, new byte[] {-1, -1, -1}), INTERNAL);
  }

  private static void expectFailure(FieldBlock fields, byte[] body, int status) throws IOException {
    try (RawClient client = server.connect()) {
      Reply reply = client.call(fields, body);
      assertEquals("HEADERS+ES", reply.frames(), reply::toString);
      assertEquals(status, reply.status(), reply::toString);
      client.expectSecondCall();
    }
  }

  /** Sends a request in DATA frames that end at the given offsets. */
  private static void expectEchoInPieces(byte[] request, int... ends) throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(ECHO), false);
      int from = 0;
      for (int i = 0; i < ends.length; i++) {
        byte[] piece = Arrays.copyOfRange(request, from, ends[i]);
        client.data(stream, piece, i == ends.length - 1);
        from = ends[i];
      }
      client.send();
      Reply reply = client.reply(stream);
      assertEquals(0, reply.status(), reply::toString);
      assertArrayEquals(request, reply.data());
      client.expectSecondCall();
    }
  }

  private static byte[] echo(int payloadBytes) {
    byte[] payload = new byte[payloadBytes];
    for (int i = 0; i < payloadBytes; i++) {
      payload[i] = (byte) (i % Probe.BIG_PERIOD);
    }
    return message(EchoRequest.newBuilder().setPayload(ByteString.copyFrom(payload)).build());
  }

  /** A request whose encoded message, without the prefix, has exactly so many bytes. */
  private static byte[] echoOfMessageBytes(int messageBytes) {
    int payloadBytes = messageBytes - 2;
    while (echo(payloadBytes).length - PREFIX_BYTES > messageBytes) {
      payloadBytes--;
    }
    return echo(payloadBytes);
  }

  private static byte[] prefix(int flags, int length) {
    return ByteBuffer.allocate(PREFIX_BYTES).put((byte) flags).putInt(length).array();
  }

  private static byte[] withPrefix(int flags, byte[] payload) {
    return concat(prefix(flags, payload.length), payload);
  }

  private static byte[] concat(byte[] first, byte[] second) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(first);
    out.writeBytes(second);
    return out.toByteArray();
  }
}
