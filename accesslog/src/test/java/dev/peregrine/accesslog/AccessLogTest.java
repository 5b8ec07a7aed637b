package dev.peregrine.accesslog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.peregrine.testcalls.GrpcConnection;
import dev.peregrine.testcalls.Talk;
import dev.peregrine.testcalls.TalkServer;
import dev.peregrine.testcalls.Wire;
import dev.peregrine.testcalls.WireClient;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is written of real calls. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AccessLogTest {

  private static final String SAY = Talk.SAY.fullName();

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final Talk talk = new Talk();

  /** The lines of some calls: complete once the server has stopped, without closing the log. */
  private List<String> lines(AccessLog.Builder builder, TalkServer.Calls calls) throws Exception {
    try (AccessLog log = builder.start()) {
      TalkServer.serve(talk, server -> server.observe(log), calls);
      assertEquals(0, log.dropped());
      return written.toString(UTF_8).lines().toList();
    }
  }

  private List<JsonObject> objects(TalkServer.Calls calls) throws Exception {
    return lines(AccessLog.to(written).json(), calls).stream()
        .map(line -> JsonParser.parseString(line).getAsJsonObject())
        .toList();
  }

  private JsonObject object(TalkServer.Calls calls) throws Exception {
    List<JsonObject> all = objects(calls);
    assertEquals(1, all.size(), all.toString());
    return all.get(0);
  }

  private static void assertMember(String expected, JsonObject line, String name) {
    assertEquals(expected, line.has(name) ? line.get(name).getAsString() : null, line.toString());
  }

  @ParameterizedTest
  @EnumSource
  void callIsLoggedOverEveryWire(Wire wire) throws Exception {
    Instant before = Instant.now().minusSeconds(1);
    JsonObject line = object((client, port) -> client.call(wire, SAY, "you", "user-agent", "me/1"));
    assertMember(wire.protocol(), line, "protocol");
    assertMember(SAY, line, "rpc");
    assertMember("OK", line, "code");
    assertMember("200", line, "status");
    assertMember("127.0.0.1", line, "peer");
    assertMember("me/1", line, "userAgent");
    assertMember(wire == Wire.MAPPED ? "GET" : "POST", line, "method");
    assertMember(wire == Wire.MAPPED ? "/say/you" : "/" + SAY, line, "path");
    assertMember(wire == Wire.GRPC ? "2" : "1.1", line, "http");
    assertMember(null, line, "tls");
    assertTrue(line.get("bytesOut").getAsLong() >= "hello you".length(), line.toString());
    assertTrue(line.get("micros").getAsLong() >= 0, line.toString());
    Instant time = Instant.parse(line.get("time").getAsString());
    assertTrue(
        time.isAfter(before) && time.isBefore(Instant.now().plusSeconds(1)), line.toString());
  }

  @ParameterizedTest
  @EnumSource
  void failureIsLoggedOverEveryWire(Wire wire) throws Exception {
    JsonObject line = object((client, port) -> client.call(wire, SAY, "fail"));
    assertMember("NOT_FOUND", line, "code");
    assertMember(wire == Wire.GRPC || wire == Wire.GRPC_WEB ? "200" : "404", line, "status");
  }

  @Test
  void streamIsLoggedOnceWithAllItsBytes() throws Exception {
    JsonObject line = object((client, port) -> client.call(Wire.GRPC, "test.Talk/Chat", "a\nb"));
    assertMember("6", line, "bytesIn");
    assertMember("18", line, "bytesOut");
  }

  @Test
  void cancelledCallHasNoStatus() throws Exception {
    JsonObject line = object((client, port) -> cancelled(port));
    assertMember("CANCELLED", line, "code");
    assertMember(null, line, "status");
  }

  private void cancelled(int port) throws Exception {
    try (GrpcConnection connection = new GrpcConnection(port)) {
      connection.headers("/" + SAY);
      connection.data(WireClient.envelopes("wait"), true);
      talk.awaitWaiting();
      connection.cancel();
    }
  }

  @Test
  void passedDeadlineIsLoggedOnce() throws Exception {
    JsonObject line =
        object((client, port) -> client.call(Wire.GRPC, SAY, "wait", "grpc-timeout", "20m"));
    assertMember("DEADLINE_EXCEEDED", line, "code");
    assertMember("200", line, "status");
  }

  @Test
  void refusalsAndOtherRequestsAreLogged() throws Exception {
    List<JsonObject> all =
        objects(
            (client, port) -> {
              client.call(Wire.GRPC, "no.Such/Method", "you");
              client.http("GET", "/nothing?token=x");
              client.http("POST", "/say/you");
              client.http("GET", "/page");
            });
    assertEquals(
        List.of(
            "/no.Such/Method UNIMPLEMENTED 200",
            "/nothing none 404",
            "/say/you none 405",
            "/page none 200"),
        all.stream()
            .map(
                line ->
                    line.get("path").getAsString()
                        + " "
                        + (line.has("code") ? line.get("code").getAsString() : "none")
                        + " "
                        + line.get("status"))
            .toList());
  }

  @Test
  void refusedCallByMappedPathNamesItsMethod() throws Exception {
    JsonObject line =
        object((client, port) -> client.http("GET", "/say/you", "content-encoding", "nope"));
    assertMember(SAY, line, "rpc");
    assertMember("http", line, "protocol");
    assertMember("UNIMPLEMENTED", line, "code");
    assertMember("/say/you", line, "path");
  }

  @Test
  void commonFormatIsApachesWithMoreBehindIt() throws Exception {
    List<String> lines =
        lines(
            AccessLog.to(written),
            (client, port) -> {
              client.call(Wire.CONNECT, SAY, "you", "user-agent", "a \"b\" c");
              client.http("GET", "/page?x", "referer", "http://here/?token=x");
              cancelled(port);
            });
    String start = "127\\.0\\.0\\.1 - - \\[\\d\\d/\\w{3}/\\d{4}:\\d\\d:\\d\\d:\\d\\d \\+0000] ";
    assertMatches(
        start
            + "\"POST /test.Talk/Say HTTP/1.1\" 200 11 \"-\" \"a \\\\\"b\\\\\" c\" connect OK 5 \\d+ -",
        lines.get(0));
    assertMatches(
        start + "\"GET /page HTTP/1.1\" 200 6 \"http://here/\" \"Java-.*\" http - 0 \\d+ -",
        lines.get(1));
    assertMatches(
        start + "\"POST /test.Talk/Say HTTP/2\" 499 0 \"-\" \"-\" grpc CANCELLED 6 \\d+ -",
        lines.get(2));
    assertEquals(3, lines.size());
  }

  private static void assertMatches(String pattern, String line) {
    assertTrue(line.matches(pattern), line);
  }

  @Test
  void queryIsWrittenOnlyIfAskedFor() throws Exception {
    List<String> lines =
        lines(
            AccessLog.to(written).json().withQuery(),
            (client, port) -> client.http("GET", "/page?token=x"));
    assertTrue(lines.get(0).contains("\"path\":\"/page?token=x\""), lines.get(0));
  }

  @Test
  void queryOfTheReferringPageIsWrittenOnlyIfAskedFor() throws Exception {
    List<String> lines =
        lines(
            AccessLog.to(written).withQuery(),
            (client, port) -> client.http("GET", "/page", "referer", "http://here/?token=x"));
    assertTrue(lines.get(0).contains("\"http://here/?token=x\""), lines.get(0));
  }
}
