package dev.peregrine.conformance;

import static dev.peregrine.conformance.RawClient.ECHO;
import static dev.peregrine.conformance.RawClient.message;
import static dev.peregrine.conformance.RawClient.setting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.conformance.v1.EchoRequest;
import dev.peregrine.wire.ErrorCode;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pitfalls H: every frame type with the wrong stream, the wrong length, and odd bits. */
class FramePitfallsTest {

  private static final byte[] EMPTY_MESSAGE = message(EchoRequest.getDefaultInstance());
  private static final int RESERVED_BIT = 0x80000000;

  private static ProbeServer server;

  @BeforeAll
  static void start() throws IOException {
    server = ProbeServer.inline();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  // P91: type, flags, stream, payload bytes, error. Stream 1 is open, 9 is idle.
  @ParameterizedTest
  @CsvSource({
    "DATA, 0, 0, 5, PROTOCOL_ERROR",
    "DATA, 0, 9, 5, PROTOCOL_ERROR",
    "DATA, 0, 2, 5, PROTOCOL_ERROR",
    "DATA, 8, 1, 0, FRAME_SIZE_ERROR",
    "HEADERS, 4, 0, 5, PROTOCOL_ERROR",
    "HEADERS, 4, 2, 3, PROTOCOL_ERROR",
    "HEADERS, 12, 9, 0, FRAME_SIZE_ERROR",
    "HEADERS, 36, 9, 4, FRAME_SIZE_ERROR",
    "PRIORITY, 0, 0, 5, PROTOCOL_ERROR",
    "RST_STREAM, 0, 0, 4, PROTOCOL_ERROR",
    "RST_STREAM, 0, 9, 4, PROTOCOL_ERROR",
    "RST_STREAM, 0, 1, 3, FRAME_SIZE_ERROR",
    "RST_STREAM, 0, 1, 5, FRAME_SIZE_ERROR",
    "SETTINGS, 0, 1, 0, PROTOCOL_ERROR",
    "SETTINGS, 0, 0, 5, FRAME_SIZE_ERROR",
    "SETTINGS, 1, 0, 6, FRAME_SIZE_ERROR",
    "PUSH_PROMISE, 4, 1, 4, PROTOCOL_ERROR",
    "PING, 0, 1, 8, PROTOCOL_ERROR",
    "PING, 0, 0, 7, FRAME_SIZE_ERROR",
    "PING, 0, 0, 9, FRAME_SIZE_ERROR",
    "GOAWAY, 0, 1, 8, PROTOCOL_ERROR",
    "GOAWAY, 0, 0, 7, FRAME_SIZE_ERROR",
    "WINDOW_UPDATE, 0, 0, 3, FRAME_SIZE_ERROR",
    "WINDOW_UPDATE, 0, 0, 5, FRAME_SIZE_ERROR",
    "WINDOW_UPDATE, 0, 0, 4, PROTOCOL_ERROR",
    "WINDOW_UPDATE, 0, 9, 4, PROTOCOL_ERROR",
    "CONTINUATION, 4, 0, 0, PROTOCOL_ERROR",
    "CONTINUATION, 4, 1, 0, PROTOCOL_ERROR"
  })
  void aFrameThatCannotBeEndsTheConnection(
      String name, int flags, int stream, int payloadBytes, ErrorCode code) throws IOException {
    try (RawClient client = server.connect()) {
      client.headers(client.newStream(), FieldBlock.call(ECHO), false);
      client.frame(typeOf(name), flags, stream, new byte[payloadBytes]).send();
      client.expectConnectionError(code);
    }
  }

  // P91: padding as long as the frame, or longer.
  @ParameterizedTest
  @CsvSource({"DATA, 8, 5", "DATA, 8, 200", "HEADERS, 12, 5", "HEADERS, 12, 200"})
  void tooMuchPaddingEndsTheConnection(String name, int flags, int pad) throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(ECHO), false);
      byte[] payload = {(byte) pad, 0, 0, 0, 0};
      client.frame(typeOf(name), flags, name.equals("DATA") ? stream : 3, payload).send();
      client.expectConnectionError(ErrorCode.PROTOCOL_ERROR);
    }
  }

  // P91
  @ParameterizedTest
  @ValueSource(ints = {0x77, 0x0a, 0xff})
  void anUnknownFrameTypeIsIgnored(int type) throws IOException {
    try (RawClient client = server.connect()) {
      for (int stream : new int[] {0, 1, 2, 99}) {
        client.frame(type, 0xff, stream, new byte[100]);
      }
      client.expectSecondCall();
    }
  }

  // P91
  @Test
  void theReservedBitAndUnknownFlagsAreIgnored() throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      byte[] block = FieldBlock.call(ECHO).encode();
      client.frame(Frame.HEADERS, Frame.END_HEADERS | 0xd2, stream | RESERVED_BIT, block);
      client.frame(Frame.DATA, 0xf6, stream | RESERVED_BIT, new byte[0]);
      client.frame(
          Frame.WINDOW_UPDATE, 0xff, RESERVED_BIT, (byte) 0x80, (byte) 0, (byte) 0, (byte) 1);
      client.frame(Frame.PING, 0xfe, RESERVED_BIT, new byte[8]);
      client.frame(Frame.SETTINGS, 0xfe, RESERVED_BIT, setting(0xabcd, -1));
      client.data(stream, EMPTY_MESSAGE, true).send();
      assertEquals(0, client.reply(stream).status());
      client.expectSecondCall();
    }
  }

  // P91: of two kinds, by the stream it is for.
  @Test
  void aWindowUpdateOfZeroOnAStreamCostsThatStream() throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(ECHO), false).windowUpdate(stream, 0).send();
      client.expectStreamError(stream, ErrorCode.PROTOCOL_ERROR);
    }
  }

  // P91
  @Test
  void aWindowBeyondTheMaximumCostsItsScope() throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(ECHO), false);
      client.windowUpdate(stream, Integer.MAX_VALUE).send();
      client.expectStreamError(stream, ErrorCode.FLOW_CONTROL_ERROR);
      client.windowUpdate(0, Integer.MAX_VALUE).send();
      client.expectConnectionError(ErrorCode.FLOW_CONTROL_ERROR);
    }
  }

  // P91
  @Test
  void aFrameLargerThanAnnouncedEndsTheConnection() throws IOException {
    try (RawClient client = server.connect()) {
      client.frame(0x77, 0, 0, new byte[16_385]).send();
      client.expectConnectionError(ErrorCode.FRAME_SIZE_ERROR);
    }
    try (RawClient client = server.connect()) {
      client.frame(0x77, 0, 0, new byte[16_384]).expectSecondCall();
    }
  }

  // P91: id, value, error.
  @ParameterizedTest
  @CsvSource({
    "2, 2, PROTOCOL_ERROR",
    "2, -1, PROTOCOL_ERROR",
    "4, -2147483648, FLOW_CONTROL_ERROR",
    "5, 16383, PROTOCOL_ERROR",
    "5, 16777216, PROTOCOL_ERROR"
  })
  void aSettingOutOfRangeEndsTheConnection(int id, int value, ErrorCode code) throws IOException {
    try (RawClient client = server.connect()) {
      client.frame(Frame.SETTINGS, 0, 0, setting(id, value)).send();
      client.expectConnectionError(code);
    }
  }

  // P91
  @ParameterizedTest
  @ValueSource(ints = {0, 7, 8, 9, 0xffff})
  void anUnknownSettingIsIgnored(int id) throws IOException {
    try (RawClient client = server.connect()) {
      client.frame(Frame.SETTINGS, 0, 0, setting(id, -1)).expectSecondCall();
    }
  }

  // P91: unknown codes mean nothing special.
  @Test
  void anUnknownErrorCodeIsAReset() throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(ECHO), false).reset(stream, 0xabcdef).send();
      client.expectSecondCall();
    }
  }

  // P91: the client's GOAWAY ends nothing that is under way.
  @Test
  void aClientThatSaysGoawayStillGetsItsReplies() throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(ECHO), false);
      client.frame(Frame.GOAWAY, 0, 0, new byte[8]).data(stream, EMPTY_MESSAGE, true).send();
      assertEquals(0, client.reply(stream).status());
    }
  }

  // P92: RFC 9113, 5.1.1
  @Test
  void aStreamIdThatGoesBackEndsTheConnection() throws IOException {
    try (RawClient client = server.connect()) {
      client.headers(5, FieldBlock.call(ECHO), false).headers(3, FieldBlock.call(ECHO), false);
      client.send();
      client.expectConnectionError(ErrorCode.PROTOCOL_ERROR);
    }
  }

  // P92: RFC 9113, 8.5: nothing here is a proxy.
  @Test
  void connectIsRefused() throws IOException {
    try (RawClient client = server.connect()) {
      FieldBlock tunnel =
          FieldBlock.empty().with(":method", "CONNECT").with(":authority", "localhost:80");
      int stream = client.newStream();
      client.headers(stream, tunnel, false).send();
      Reply reply = client.reply(stream);
      assertTrue(reply.resetCode() > 0 || reply.field(":status").startsWith("4"), reply::toString);
      client.expectSecondCall();
    }
  }

  // P92: RFC 9113, 8.5: CONNECT has no :scheme and no :path.
  @Test
  void connectWithSchemeAndPathIsMalformed() throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(ECHO).set(":method", "CONNECT"), false).send();
      client.expectStreamError(stream, ErrorCode.PROTOCOL_ERROR);
    }
  }

  // P92: DATA and HEADERS after the end of a request.
  @Test
  void contentAfterTheEndOfARequestIsAnError() throws IOException {
    try (ProbeServer workers = ProbeServer.workers(1);
        RawClient client = workers.connect()) {
      int stream = client.newStream();
      client
          .headers(stream, FieldBlock.call("/peregrine.conformance.v1.Probe/Sleep"), false)
          // SleepRequest {millis: 60,000}
          .data(stream, new byte[] {0, 0, 0, 0, 4, 8, (byte) 0xe0, (byte) 0xd4, 3}, true)
          .data(stream, EMPTY_MESSAGE, true)
          .send();
      Reply reply = client.reply(stream);
      assertEquals(ErrorCode.STREAM_CLOSED.code(), reply.resetCode(), reply::toString);
      client.expectSecondCall();
    }
  }

  private static int typeOf(String name) {
    for (int type = 0; type <= Frame.CONTINUATION; type++) {
      if (new Frame(type, 0, 0, new byte[0]).name().equals(name)) {
        return type;
      }
    }
    throw new IllegalArgumentException(name);
  }
}
