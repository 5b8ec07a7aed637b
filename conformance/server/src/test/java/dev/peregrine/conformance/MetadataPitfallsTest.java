package dev.peregrine.conformance;

import static dev.peregrine.conformance.RawClient.ECHO;
import static dev.peregrine.conformance.RawClient.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.StringValue;
import dev.peregrine.conformance.v1.EchoRequest;
import dev.peregrine.conformance.v1.FailRequest;
import dev.peregrine.conformance.v1.Item;
import dev.peregrine.conformance.v1.MetadataRequest;
import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.RpcException;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.ErrorCode;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pitfalls B: metadata, status texts, and errors before the first message. */
class MetadataPitfallsTest {

  private static final String FAIL = "/peregrine.conformance.v1.Probe/Fail";
  private static final String METADATA = "/peregrine.conformance.v1.Probe/Metadata";
  private static final int INVALID_ARGUMENT = 3;
  private static final int RESOURCE_EXHAUSTED = 8;
  private static final int INTERNAL = 13;
  private static final int MIB = 1 << 20;

  private static ProbeServer server;

  @BeforeAll
  static void start() throws IOException {
    server =
        ProbeServer.with(
            builder ->
                builder.add(
                    OneMethod.serverStreaming(
                        (item, responses, context) -> {
                          throw refusal();
                        })));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static RpcException refusal() {
    return new RpcException(
        Status.INVALID_ARGUMENT
            .withMessage("not that one")
            .withDetails(StringValue.of("the reason")),
        new Metadata().add("x-hint", "another").addBinary("x-proof-bin", new byte[] {1, 2}));
  }

  // P16: percent-encoded UTF-8, nothing else.
  @Test
  void aStatusTextIsPercentEncoded() throws IOException {
    String text = "100% größer\nline2 \uD83D\uDE80";
    assertEquals("100%25 gr%C3%B6%C3%9Fer%0Aline2 %F0%9F%9A%80", failWith(text));
    assertEquals(text, URLDecoder.decode(failWith(text), StandardCharsets.UTF_8));
  }

  private static String failWith(String text) throws IOException {
    try (RawClient client = server.connect()) {
      FailRequest request =
          FailRequest.newBuilder().setCode(INVALID_ARGUMENT).setText(text).build();
      Reply reply = client.call(FieldBlock.call(FAIL), message(request));
      assertEquals(INVALID_ARGUMENT, reply.status(), reply::toString);
      client.expectSecondCall();
      return reply.field("grpc-message");
    }
  }

  // P16: half of a pair of surrogates, which no UTF-8 can hold, becomes U+FFFD.
  @Test
  void aLoneSurrogateIsReplaced() throws IOException {
    try (ProbeServer lone =
            ProbeServer.with(
                builder ->
                    builder.add(
                        OneMethod.unary(
                            (item, context) -> {
                              throw Status.ABORTED.withMessage("a\uD83Dz").exception();
                            })));
        RawClient client = lone.connect()) {
      Reply reply = client.call(FieldBlock.call(OneMethod.PATH), message(item()));
      assertEquals("a%EF%BF%BDz", reply.field("grpc-message"));
    }
  }

  // P19: the answer comes first, then RST_STREAM(NO_ERROR); what still arrives is credited, so
  // that the client is not stuck with its 20 MB.
  @Test
  void anOversizedMessageIsAnsweredWhileItIsStillBeingSent() throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      byte[] request = message(echo(20 * MIB));
      client
          .headers(stream, FieldBlock.call(ECHO), false)
          .data(stream, head(request), false)
          .send();
      Reply reply = client.reply(stream);
      assertEquals("HEADERS+ES", reply.frames(), reply::toString);
      assertEquals(RESOURCE_EXHAUSTED, reply.status());
      while (reply.resetCode() < 0) {
        client.read();
      }
      assertEquals(ErrorCode.NO_ERROR.code(), reply.resetCode());
      // The rest was under way when the answer came: twice the connection's window of it.
      int rest = 2 * client.connectionWindow();
      for (int sent = 0; sent < rest; sent += 16_000) {
        while (client.connectionWindow() < 16_000) {
          client.read();
        }
        client.data(stream, new byte[16_000], false).send();
      }
      client.expectSecondCall();
    }
  }

  private static byte[] head(byte[] message) {
    return Arrays.copyOf(message, 16_000);
  }

  // P20: padded, unpadded and several; what is sent back is unpadded.
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"AQ; AQ", "AQ==; AQ", "AQ,Ag; AQ|Ag", "AQ==,Ag==; AQ|Ag", "AQI; AQI"})
  void binaryMetadataMayBePaddedOrNot(String sent, String expected) throws IOException {
    try (RawClient client = server.connect()) {
      Reply reply =
          client.call(
              FieldBlock.call(METADATA).with("echo-x-bin", sent),
              message(MetadataRequest.getDefaultInstance()));
      assertEquals(0, reply.status(), reply::toString);
      List<String> values = reply.fields("echo-x-bin");
      assertEquals(expected, String.join("|", values).replace(",", "|").replace(" ", ""));
      client.expectSecondCall();
    }
  }

  // P20: what is no base64 costs the call, not the connection.
  @ParameterizedTest
  @ValueSource(strings = {"@@@", "A", "AQ=A", "AQ,@"})
  void brokenBinaryMetadataIsAnErrorOfTheCall(String value) throws IOException {
    try (RawClient client = server.connect()) {
      int before = server.calls();
      Reply reply =
          client.call(
              FieldBlock.call(METADATA).with("echo-x-bin", value),
              message(MetadataRequest.getDefaultInstance()));
      assertEquals(INTERNAL, reply.status(), reply::toString);
      assertTrue(reply.field("grpc-message").contains("echo-x-bin"), reply::toString);
      assertEquals(before, server.calls());
      client.expectSecondCall();
    }
  }

  // P21, P117: over the limit, but read to its end: the stream is told by the status clients show.
  @ParameterizedTest
  @ValueSource(ints = {9_000, 60_000})
  void metadataOverTheLimitIsRefusedOnItsStream(int valueBytes) throws IOException {
    try (RawClient client = server.connect()) {
      int before = server.calls();
      int stream = client.newStream();
      sendLargeMetadata(client, stream, valueBytes);
      Reply reply = client.reply(stream);
      assertEquals("431", reply.field(":status"), reply::toString);
      assertEquals(RESOURCE_EXHAUSTED, reply.status());
      assertFalse(reply.field("content-type").isEmpty());
      assertFalse(reply.field("grpc-message").isEmpty());
      assertEquals(before, server.calls());
      client.expectSecondCall();
    }
  }

  // P21: 7 KB are no reason to refuse anything.
  @Test
  void metadataWithinTheLimitIsServed() throws IOException {
    try (RawClient client = server.connect()) {
      int stream = client.newStream();
      sendLargeMetadata(client, stream, 7_000);
      assertEquals(0, client.reply(stream).status());
    }
  }

  // P21: nobody has to read five megabytes of fields; the end says which limit it was.
  @Test
  void metadataWithoutEndIsCutOff() throws IOException {
    try (RawClient client = server.connect()) {
      sendLargeMetadata(client, client.newStream(), 5_000_000);
      client.expectConnectionError(ErrorCode.ENHANCE_YOUR_CALM);
      assertTrue(client.goawayText().matches(".*[0-9]+.*"), client::goawayText);
    }
  }

  /** A field of so many bytes, in as many CONTINUATION frames as it takes. */
  private static void sendLargeMetadata(RawClient client, int stream, int valueBytes)
      throws IOException {
    byte[] block = FieldBlock.call(ECHO).with("x-large", "v".repeat(valueBytes)).encode();
    int at = 0;
    while (at < block.length) {
      int length = Math.min(16_384, block.length - at);
      int type = at == 0 ? Frame.HEADERS : Frame.CONTINUATION;
      int flags = at + length == block.length ? Frame.END_HEADERS : 0;
      client.frame(type, flags, stream, Arrays.copyOfRange(block, at, at + length));
      at += length;
    }
    client.data(stream, message(echo(10)), true);
    try {
      client.send();
    } catch (IOException e) {
      // The server may close while we write: what it said before that is what counts.
      assertTrue(valueBytes > MIB, e::toString);
    }
  }

  // P23: no header section of its own before an error, and nothing of the error is lost.
  @Test
  void anErrorBeforeTheFirstMessageIsOneFrame() throws IOException {
    try (RawClient client = server.connect()) {
      Reply reply = client.call(FieldBlock.call(OneMethod.PATH), message(item()));
      assertEquals("HEADERS+ES", reply.frames(), reply::toString);
      assertEquals(INVALID_ARGUMENT, reply.status());
      assertEquals("application/grpc", reply.field("content-type"));
      assertEquals("not that one", reply.field("grpc-message"));
      assertEquals("another", reply.field("x-hint"));
      assertEquals("AQI", reply.field("x-proof-bin"));
      assertFalse(reply.field("grpc-status-details-bin").isEmpty());
      assertNull(reply.field("grpc-encoding"));
      client.expectSecondCall();
    }
  }

  private static Item item() {
    return Item.newBuilder().setNumber(1).build();
  }

  private static EchoRequest echo(int bytes) {
    return EchoRequest.newBuilder().setPayload(ByteString.copyFrom(new byte[bytes])).build();
  }
}
