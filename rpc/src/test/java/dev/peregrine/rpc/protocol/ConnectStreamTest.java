package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.RequestParts.concat;
import static dev.peregrine.rpc.protocol.RequestParts.dataLine;
import static dev.peregrine.rpc.protocol.RequestParts.headers;
import static dev.peregrine.rpc.protocol.RequestParts.message;
import static dev.peregrine.rpc.protocol.RequestParts.prefix;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connect's streams: always 200, and the last envelope tells how it ended. */
class ConnectStreamTest {

  private static final String HEAD = "HEADERS :status=200 content-type=application/connect+proto";
  private static final String OK = "DATA END_STREAM \\02\\00\\00\\00\\02{}";

  /** Answers every request at once; "fail" ends the call. */
  private static CallListener<StringValue> echo(Call<StringValue> call) {
    return new CallListener<>() {
      @Override
      public void onMessage(StringValue message) {
        if (message.getValue().equals("fail")) {
          call.context().responseTrailers().add("x-tail", "1").add("x-tail", "2");
          call.close(Status.ABORTED.withMessage("as asked\n"));
        } else {
          call.send(message);
          call.request(1);
        }
      }

      @Override
      public void onHalfClose() {
        call.close(Status.OK);
      }
    };
  }

  private static Method<StringValue, StringValue> method(Method.Kind kind) {
    return Method.of("test.Echo/Call", kind, Calls.CALL.requestCodec(), Calls.CALL.responseCodec());
  }

  private static List<String> answer(
      Method.Kind kind, HttpVersion version, Headers headers, byte[] content) {
    FakeLoop loop = new FakeLoop();
    Routes routes = new Routes(Limits.DEFAULTS, 1);
    routes.add(
        () -> ServiceDefinition.of("test.Echo").eventDriven(method(kind), ConnectStreamTest::echo),
        Execution.inline());
    Router router = new Router(routes, loop, null);
    FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
    stream.version(version);
    Exchange exchange = new Exchange(loop, router, stream, headers, false);
    exchange.data(content, true);
    loop.runOutbox();
    return exchange.lines();
  }

  private static List<String> stream(byte[] content, String... changes) {
    List<String> all = new ArrayList<>(List.of(changes));
    all.addAll(List.of("content-type", "application/connect+proto"));
    return answer(
        Method.Kind.BIDI_STREAMING,
        HttpVersion.HTTP_2,
        headers(all.toArray(String[]::new)),
        content);
  }

  private static String lastEnvelope(String json) {
    return "DATA END_STREAM \\02\\00\\00\\00"
        + FakeHttpStream.text(new byte[] {(byte) json.replace("\\5c", "\\").length()}, 0, 1)
        + json;
  }

  @Test
  void messagesThenTheEnd() {
    assertEquals(
        List.of(HEAD, dataLine("a"), dataLine("b"), OK),
        stream(concat(message("a"), message("b"))));
  }

  @Test
  void aStreamWithoutMessagesHasAHeaderSectionAndAnEnd() {
    assertEquals(List.of(HEAD, OK), stream(new byte[0]));
  }

  @Test
  void aFailureIsInTheLastEnvelopeWithTheTrailers() {
    assertEquals(
        List.of(
            HEAD,
            dataLine("a"),
            lastEnvelope(
                "{\"error\":{\"code\":\"aborted\",\"message\":\"as asked\\5cu000a\"},"
                    + "\"metadata\":{\"x-tail\":[\"1\",\"2\"]}}")),
        stream(concat(message("a"), message("fail"))));
  }

  @Test
  void brokenContentIsAnInvalidArgument() {
    for (byte[] content : List.of(prefix(0, 5), message(0, new byte[] {0x0a, 0x7f}))) {
      List<String> lines = stream(content);
      assertEquals(HEAD, lines.get(0));
      assertTrue(lines.get(1).contains("\"code\":\"invalid_argument\""), lines::toString);
    }
  }

  @Test
  void theClientMustNotEndTheStreamByAnEnvelope() {
    List<String> lines = stream(message(2, new byte[] {'{', '}'}));
    assertTrue(lines.get(1).contains("\"code\":\"internal\""), lines::toString);
  }

  @Test
  void faultsOfTheHeaderSectionAreToldByAnEnvelope() {
    String[][] faults = {
      {"connect-timeout-ms", "1s", "invalid_argument"},
      {"connect-timeout-ms", "12345678901", "invalid_argument"},
      {"connect-timeout-ms", "0", "deadline_exceeded"},
      {"connect-protocol-version", "2", "invalid_argument"},
      {"connect-content-encoding", "br", "unimplemented"},
    };
    for (String[] fault : faults) {
      List<String> lines = stream(message("a"), fault[0], fault[1]);
      assertTrue(lines.get(0).startsWith(HEAD), lines::toString);
      assertTrue(lines.get(1).startsWith("DATA END_STREAM \\02"), lines::toString);
      assertTrue(lines.get(1).contains("\"code\":\"" + fault[2] + "\""), lines::toString);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_1_0", "HTTP_1_1"})
  void overHttp1BothWaysAtOnceIsRefusedAndTheConnectionClosed(HttpVersion version) {
    for (String type : List.of("application/connect+proto", "application/grpc-web")) {
      String head =
          answer(Method.Kind.BIDI_STREAMING, version, headers("content-type", type), message("a"))
              .get(0);
      assertTrue(
          head.startsWith(
              "HEADERS :status=505 content-type=text/plain; charset=utf-8 connection=close"),
          head);
    }
  }

  @Test
  void overHttp1OneWayIsServed() {
    for (Method.Kind kind : List.of(Method.Kind.CLIENT_STREAMING, Method.Kind.SERVER_STREAMING)) {
      assertEquals(
          List.of(HEAD, dataLine("a"), OK),
          answer(
              kind,
              HttpVersion.HTTP_1_1,
              headers("content-type", "application/connect+proto"),
              message("a")));
    }
  }

  @Test
  void overHttp1GrpcIsRefusedWithWhatWouldWork() {
    List<String> lines = answer(Method.Kind.UNARY, HttpVersion.HTTP_1_1, headers(), message("a"));
    assertTrue(lines.get(0).startsWith("HEADERS :status=505 "), lines::toString);
    assertTrue(lines.get(1).contains("gRPC-Web"), lines::toString);
  }

  @Test
  void unaryContentTypesDoNotFitAStream() {
    for (String type : List.of("application/proto", "application/x-protobuf")) {
      List<String> lines =
          answer(
              Method.Kind.SERVER_STREAMING,
              HttpVersion.HTTP_2,
              headers("content-type", type),
              message("a"));
      assertTrue(lines.get(0).startsWith("HEADERS :status=415 "), lines::toString);
      assertTrue(lines.get(0).contains("application/connect+proto"), lines::toString);
    }
  }
}
