package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.wire.Headers;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connect's calls by GET. */
class ConnectGetTest {

  private static final byte[] YOU = StringValue.of("you").toByteArray();
  private static final String YOU_BASE64 = "CgN5b3U";

  private static final List<String> SERVED =
      List.of(
          "HEADERS :status=200 content-type=application/proto vary=accept-encoding",
          "DATA END_STREAM \\0a\\09hello you");

  private static Calls calls() {
    return new Calls(
        Execution.inline(), Limits.DEFAULTS, Calls.CALL.withNoSideEffects(), Calls.hello());
  }

  private static Headers get(String query, String... changes) {
    Headers headers = new Headers().add(":method", "GET").add(":path", "/test.Echo/Call" + query);
    for (int i = 0; i < changes.length; i += 2) {
      headers.add(changes[i], changes[i + 1]);
    }
    return headers;
  }

  private static List<String> answer(String query, String... changes) {
    return calls().open(get(query, changes), true).lines();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "?encoding=proto&base64=1&message=" + YOU_BASE64,
        "?message=" + YOU_BASE64 + "&base64=1&encoding=proto",
        "?message=" + YOU_BASE64 + "=&base64=1&encoding=proto",
        "?message=" + YOU_BASE64 + "%3D&base64=1&encoding=proto",
        "?connect=v1&encoding=proto&base64=1&message=" + YOU_BASE64,
        "?encoding=proto&message=%0a%03you",
        "?encoding=proto&message=%0A%03%79ou&base64=0",
        "?encoding=proto&message=%0A%03you&base64=",
        "?encoding=proto&compression=identity&base64=1&message=" + YOU_BASE64,
        "?a=b&&x&encoding=proto&=&base64=1&message=" + YOU_BASE64 + "&encoding=json",
        "?encodings=x&messages=y&encoding=proto&base64=1&message=" + YOU_BASE64,
      })
  void theMessageIsInTheQuery(String query) {
    assertEquals(SERVED, answer(query));
  }

  @Test
  void anEmptyMessageIsAMessage() {
    for (String query : List.of("?encoding=proto&message=", "?message&encoding=proto&base64=1")) {
      assertEquals("DATA END_STREAM \\0a\\06hello ", answer(query).get(1), query);
    }
  }

  @Test
  void theMessageMayBeCompressed() {
    byte[] packed = Compressor.gzip().compress(YOU, 0, YOU.length);
    String base64 = Base64.getUrlEncoder().withoutPadding().encodeToString(packed);
    assertEquals(SERVED, answer("?encoding=proto&base64=1&compression=gzip&message=" + base64));
  }

  @ParameterizedTest
  @CsvSource({
    "?message=x,the query names no encoding",
    "?encoding=proto,'the query has no message, or a broken one'",
    "?encoding=proto&message=%0,'the query has no message, or a broken one'",
    "?encoding=proto&message=%zz,'the query has no message, or a broken one'",
    "?encoding=proto&base64=1&message=@,'the query has no message, or a broken one'",
    "?encoding=proto&base64=1&message=+/8,'the query has no message, or a broken one'",
    "?encoding=proto&message=&connect=v2,'connect must be v1, not v2'",
    "?encoding=proto&message=%0a,malformed protobuf"
  })
  void faultsAreInvalidArguments(String query, String text) {
    List<String> lines = answer(query);
    assertEquals("HEADERS :status=400 content-type=application/json", field(lines.get(0)));
    assertTrue(
        lines
            .get(1)
            .startsWith("DATA END_STREAM {\"code\":\"invalid_argument\",\"message\":\"" + text),
        lines::toString);
  }

  /** A head without what depends on where the fault was found. */
  private static String field(String line) {
    return line.replace(" vary=accept-encoding", "");
  }

  @Test
  void unknownCompressionIsUnimplementedAndNamesWhatIsKnown() {
    assertEquals(
        List.of(
            "HEADERS :status=501 content-type=application/json accept-encoding=gzip,deflate",
            "DATA END_STREAM {\"code\":\"unimplemented\",\"message\":\"content-encoding br is not"
                + " supported\"}"),
        answer("?encoding=proto&compression=br&message="));
  }

  @Test
  void unknownEncodingIsNotAcceptable() {
    assertTrue(answer("?encoding=xml&message=").get(0).startsWith("HEADERS :status=415"));
    assertTrue(answer("?encoding=&message=").get(0).startsWith("HEADERS :status=415"));
  }

  @Test
  void timeoutComesFromTheHeaderSection() {
    String query = "?encoding=proto&message=";
    assertTrue(answer(query, "connect-timeout-ms", "0").get(0).startsWith("HEADERS :status=504"));
    assertTrue(answer(query, "connect-timeout-ms", "x").get(0).startsWith("HEADERS :status=400"));
    assertTrue(answer(query, "connect-timeout-ms", "9").get(0).startsWith("HEADERS :status=200"));
  }

  @Test
  void contentOfAGetIsNotAcceptedIfAnnouncedAndDroppedIfNot() {
    Headers announced = get("?encoding=proto&message=");
    announced.setChecked(3);
    assertTrue(calls().open(announced, false).lines().get(0).startsWith("HEADERS :status=415"));
    Exchange exchange = calls().open(get("?encoding=proto&base64=1&message=" + YOU_BASE64), false);
    assertEquals(SERVED, exchange.data(new byte[] {1, 2}, true).lines());
    assertEquals(2, exchange.stream().credited());
  }

  @Test
  void aMethodWithSideEffectsIsNotCalledByGet() {
    Calls calls = Calls.inline(Calls.hello());
    assertTrue(
        calls
            .open(get("?encoding=proto&message="), true)
            .lines()
            .get(0)
            .startsWith("HEADERS :status=405 content-type=text/plain; charset=utf-8 allow=POST "));
  }

  @Test
  void otherMethodsOfHttpAreToldBothThatAreAllowed() {
    Headers put = new Headers().add(":method", "PUT").add(":path", "/test.Echo/Call");
    assertTrue(
        calls()
            .open(put, true)
            .lines()
            .get(0)
            .startsWith(
                "HEADERS :status=405 content-type=text/plain; charset=utf-8 allow=GET, POST "));
  }

  /** What a form writes is read again, whatever stands around it. */
  @FuzzTest
  void queryIsReadAsFormsWriteIt(FuzzedDataProvider data) {
    Map<String, String> fields = new LinkedHashMap<>();
    StringBuilder query = new StringBuilder("/p?");
    while (data.remainingBytes() > 0 && fields.size() < 8) {
      String name = "k" + data.consumeInt(0, 20);
      String value = data.consumeString(12);
      query
          .append(name)
          .append('=')
          .append(URLEncoder.encode(value, StandardCharsets.UTF_8))
          .append('&');
      // As it is read back: bytes that are no text do not come this way.
      fields.putIfAbsent(
          name, new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
    }
    QueryParameters parameters = QueryParameters.of(query.toString());
    fields.forEach(
        (name, value) ->
            assertEquals(value, new String(parameters.bytes(name), StandardCharsets.UTF_8)));
    QueryParameters.of(data.consumeRemainingAsString()).bytes("k");
  }
}
