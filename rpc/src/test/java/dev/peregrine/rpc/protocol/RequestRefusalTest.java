package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.Answers.HEAD;
import static dev.peregrine.rpc.protocol.Answers.OK;
import static dev.peregrine.rpc.protocol.Answers.fails;
import static dev.peregrine.rpc.protocol.RequestParts.dataLine;
import static dev.peregrine.rpc.protocol.RequestParts.headers;
import static dev.peregrine.rpc.protocol.RequestParts.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.ResponseHead;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are answered by their header section alone, or taken for what they are. */
class RequestRefusalTest {

  private static final List<String> SERVED = List.of(HEAD, dataLine("hello you"), OK);

  private static final String ACCEPT_POST =
      " accept-post=application/grpc, application/grpc+proto, application/grpc-web,"
          + " application/grpc-web+proto, application/grpc-web-text,"
          + " application/grpc-web-text+proto, application/proto, application/x-protobuf,"
          + " application/protobuf, application/x-proto, application/octet-stream";

  private int handled;

  private List<String> answer(Headers headers) {
    Calls calls =
        Calls.inline(
            (request, context) -> {
              handled++;
              return StringValue.of("hello " + request.getValue());
            });
    return calls.call(headers, message("you")).lines();
  }

  private void assertRefused(Headers headers, String... lines) {
    assertEquals(List.of(lines), answer(headers));
    assertEquals(0, handled, "the handler must not run");
  }

  private static String[] http(int status, int code, String text) {
    return http(status, code, "", text);
  }

  private static String[] http(int status, int code, String field, String text) {
    return new String[] {
      "HEADERS :status="
          + status
          + " content-type=text/plain; charset=utf-8"
          + field
          + " grpc-status="
          + code
          + " grpc-message="
          + text,
      "DATA END_STREAM " + text + "\\0a"
    };
  }

  // Pitfalls P1, P2: the path is exact bytes.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "test.Echo/Call",
        "//test.Echo/Call",
        "/test.Echo/Call/",
        "/test.Echo/Call?x",
        "/test.Echo/Call#x",
        "/test.Echo/Call ",
        "/./test.Echo/Call",
        "/x/../test.Echo/Call",
        "/test.echo/call",
        "/TEST.ECHO/CALL",
        "/test.Echo/Cal",
        "/test.Echo/Calls",
        "/test.Echo/",
        "/test.Echo",
        "/Echo/Call",
        "/other.Echo/Call",
        "/test.Echo.Call",
        "/",
        "/a",
        "/a/b/c",
        "*",
      })
  void anyOtherPathIsUnimplementedAndNamed(String path) {
    assertRefused(headers(":path", path), fails(12, "no method " + path));
  }

  @Test
  void pathWithEscapesIsNotUnescaped() {
    assertRefused(
        headers(":path", "/test%2EEcho/Call"), fails(12, "no method /test%252EEcho/Call"));
  }

  @Test
  void missingPathIsUnimplemented() {
    assertTrue(answer(headers(":path", null)).get(0).contains("grpc-status=12"));
    assertEquals(0, handled);
  }

  @Test
  void missingPathIsNoEndpoint() {
    Routes routes = new Routes(Limits.DEFAULTS, 1);
    routes.addEndpoint("/health");
    Router router =
        new Router(
            routes,
            new FakeLoop(),
            (stream, headers, end) -> {
              throw new AssertionError("asked for an endpoint without a path");
            });
    FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
    Headers connect = new Headers().add(":method", "CONNECT").add(":authority", "test:443");
    stream.transport().burst(() -> router.onRequest(stream, connect, false));
    assertTrue(stream.lines().get(0).startsWith("HEADERS :status=404"), stream.lines()::toString);
  }

  @Test
  void longPathIsCutInTheAnswer() {
    List<String> lines = answer(headers(":path", "/" + "\u00e9".repeat(60_000)));
    assertEquals(1, lines.size());
    assertTrue(lines.get(0).startsWith(fails(12, "no method /%C3%A9")), lines.get(0));
    assertTrue(lines.get(0).length() < 4096, "length " + lines.get(0).length());
  }

  // Pitfall P10.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/grpc",
        "application/grpc+proto",
        "APPLICATION/GRPC",
        "Application/gRPC+Proto",
        "application/grpc;charset=utf-8",
        "application/grpc; charset=utf-8",
        "application/grpc ; charset=utf-8",
        "application/grpc+proto;charset=utf-8",
        "application/grpc+proto; a=b; c=d",
      })
  void contentTypesOfGrpcAreServed(String contentType) {
    assertEquals(SERVED, answer(headers("content-type", contentType)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/grpcfoo",
        "application/grpc-webfoo",
        "application/grp",
        "text/plain",
        "grpc",
        " application/grpc",
        "",
      })
  void otherContentTypesAreNotAccepted(String contentType) {
    assertRefused(
        headers("content-type", contentType),
        http(415, 13, ACCEPT_POST, contentType + " is not served here"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"foo", "proto2", "PROTO3"})
  void otherSubtypesAreNotAccepted(String subtype) {
    for (String type : List.of("application/grpc+", "application/grpc-web+", "application/")) {
      String text = (type + subtype).toLowerCase(Locale.ROOT) + " is not served here";
      assertRefused(headers("content-type", type + subtype), http(415, 13, ACCEPT_POST, text));
      assertRefused(
          headers("content-type", type + subtype + ";charset=utf-8"),
          http(415, 13, ACCEPT_POST, text));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "application/grpc+json",
        "application/grpc-web+json",
        "application/connect+json"
      })
  void jsonWithoutItsModuleIsRefusedAndTheModuleNamed(String contentType) {
    assertRefused(
        headers("content-type", contentType),
        http(
            415,
            13,
            ACCEPT_POST,
            contentType + " is not served here: the module peregrine-json is not on the path"));
  }

  @Test
  void streamsOfConnectDoNotFitAUnaryMethod() {
    assertRefused(
        headers("content-type", "application/connect+proto"),
        http(
            415,
            13,
            ACCEPT_POST,
            "application/connect+proto does not fit test.Echo/Call, which is unary"));
  }

  @Test
  void missingContentTypeIsNotAccepted() {
    assertRefused(
        headers("content-type", null),
        http(
            415,
            13,
            ACCEPT_POST,
            "a call needs a content-type, e.g. application/grpc or application/proto"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "PUT", "HEAD", "OPTIONS", "DELETE", "post", "CONNECT"})
  void otherMethodsAreNotAllowed(String method) {
    String[] answer = http(405, 13, " allow=POST", "a call needs POST");
    assertRefused(headers(":method", method), answer);
    assertRefused(headers(":method", method, "content-type", null), answer);
  }

  @Test
  void unknownPathWithoutCallIsNotFound() {
    assertRefused(
        headers(":path", "/favicon.ico", "content-type", null, ":method", "GET"),
        http(404, 12, "nothing is served at this path"));
  }

  // Pitfall P15: proxies strip it.
  @Test
  void missingTeIsServed() {
    assertEquals(SERVED, answer(headers("te", null)));
  }

  // Pitfall P41.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "123456789S",
        "000000000S",
        "-1S",
        "+1S",
        "1",
        "S",
        "",
        " ",
        "1 S",
        " 1S",
        "1S ",
        "1s",
        "1h",
        "1.5S",
        "0x1S",
        "1SS",
        "S1",
        "1\u00b5",
        "\u0661S",
        "1D",
      })
  void malformedTimeoutIsRefused(String timeout) {
    assertRefused(headers("grpc-timeout", timeout), http(400, 13, "malformed grpc-timeout"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0S", "0n", "00000000H", "0m", "0u", "0M"})
  void timeoutOfZeroIsOverBeforeTheHandlerRuns(String timeout) {
    assertRefused(
        headers("grpc-timeout", timeout),
        fails(4, "the deadline had passed when the call arrived"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"99999999H", "99999999M", "99999999S", "1S", "100m", "1u", "1n", "00000001S"})
  void goodTimeoutIsServed(String timeout) {
    assertEquals(SERVED, answer(headers("grpc-timeout", timeout)));
  }

  // Pitfall P20.
  @ParameterizedTest
  @ValueSource(strings = {"AQ", "AQ==", "AQ,Ag", "AQ==, Ag==", "", "AQI", "AQI=", "+/+/", ","})
  void binaryMetadataMayBePaddedOrNotAndJoined(String value) {
    assertEquals(SERVED, answer(headers("x-bin", value)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"@@@", "A", "AQ=", "AQ,@", "A Q", "-_-_", "AQ===", "AQ==AQ=="})
  void binaryMetadataThatIsNotBase64IsRefused(String value) {
    assertRefused(headers("x-bin", value), http(400, 13, "the value of x-bin is not base64"));
  }

  // Pitfalls P30, P31.
  @ParameterizedTest
  @ValueSource(strings = {"br", "snappy", "IDENTITY", "", "identity,gzip", "x y"})
  void unknownEncodingIsRefusedWithTheListOfKnownOnes(String encoding) {
    assertRefused(
        headers("grpc-encoding", encoding),
        "HEADERS END_STREAM :status=200 content-type=application/grpc grpc-status=12"
            + " grpc-accept-encoding=gzip,deflate grpc-message=grpc-encoding "
            + encoding
            + " is not supported");
  }

  @Test
  void identityAndOffersOfCompressionAreServed() {
    List<String> answer =
        answer(headers("grpc-encoding", "identity", "grpc-accept-encoding", "br, gzip"));
    // What may follow is announced; the message itself is not compressed unless the handler asks.
    assertEquals(
        "HEADERS :status=200 content-type=application/grpc grpc-encoding=gzip"
            + " grpc-accept-encoding=gzip,deflate",
        answer.get(0));
    assertEquals(SERVED.subList(1, 3), answer.subList(1, 3));
  }

  @Test
  void unknownMethodIsToldBeforeOtherFaults() {
    assertRefused(
        headers(":path", "/a.B/C", "grpc-timeout", "x", "grpc-encoding", "gzip", "x-bin", "@"),
        fails(12, "no method /a.B/C"));
  }

  @ParameterizedTest
  @CsvSource({":path,/a.B/C", "content-type,text/plain", "grpc-timeout,x", "grpc-timeout,0S"})
  void restOfARefusedRequestIsIgnored(String name, String value) {
    Calls calls = Calls.inline(Calls.hello());
    Exchange exchange = calls.open(headers(name, value), false);
    List<String> answer = exchange.lines();
    exchange.data(message("you"), false).writable().trailers().reset();
    assertEquals(answer, exchange.lines());
  }

  @ParameterizedTest
  @CsvSource({":path,/a.B/C", "content-type,text/plain", "grpc-timeout,0S", "te,trailers"})
  void repeatedHeaderSectionMeansTheSame(String name, String value) {
    Calls calls = Calls.inline(Calls.hello());
    Headers shared = headers(name, value);
    List<String> first = calls.call(shared, message("you")).lines();
    assertEquals(first, calls.call(shared, message("you")).lines());
    assertEquals(first, calls.call(headers(name, value), message("you")).lines());
  }

  @Test
  void endpointAnswersItsPathWithAnyQueryAndNoCallsPath() {
    Routes routes = new Routes(Limits.DEFAULTS, 1);
    Service service = () -> ServiceDefinition.of("test.Echo").unary(Calls.CALL, Calls.hello());
    routes.add(service, dev.peregrine.rpc.Execution.inline());
    routes.addEndpoint("/health");
    ResponseHead found = ResponseHead.of(204, new Headers());
    Router router =
        new Router(
            routes,
            new FakeLoop(),
            (stream, headers, end) -> {
              stream.head(found, null, true);
              return Refusal.DEAF;
            });
    assertEquals("HEADERS END_STREAM :status=204", get(router, "/health"));
    assertEquals("HEADERS END_STREAM :status=204", get(router, "/health?full"));
    assertTrue(get(router, "/healthy").startsWith("HEADERS :status=404"));
    assertTrue(get(router, "/test.Echo/Call").startsWith("HEADERS :status=405"));
  }

  private static String get(Router router, String path) {
    FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
    Headers headers = new Headers().add(HeaderName.METHOD, "GET").add(HeaderName.PATH, path);
    stream.transport().burst(() -> router.onRequest(stream, headers, true));
    return stream.lines().get(0);
  }
}
