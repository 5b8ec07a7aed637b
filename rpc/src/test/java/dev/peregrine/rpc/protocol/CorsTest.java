package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.RequestParts.headers;
import static dev.peregrine.rpc.protocol.RequestParts.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Cors;
import dev.peregrine.rpc.Execution;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.ResponseHead;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls from pages of other origins (the Fetch standard's CORS protocol). */
class CorsTest {

  private static final String APP = "https://app.example";
  private static final String EXPOSED =
      "grpc-status, grpc-message, grpc-status-details-bin, grpc-encoding, content-encoding,"
          + " connect-content-encoding";

  private static Calls calls(Cors cors) {
    return new Calls(
        Execution.inline(),
        CallSettings.defaults().withCors(cors),
        Calls.CALL.withNoSideEffects(),
        Calls.hello());
  }

  private static Headers preflight(String origin, String... changes) {
    Headers headers =
        new Headers()
            .add(":method", "OPTIONS")
            .add(":path", "/test.Echo/Call")
            .add("origin", origin)
            .add("access-control-request-method", "POST");
    for (int i = 0; i < changes.length; i += 2) {
      headers.add(changes[i], changes[i + 1]);
    }
    return headers;
  }

  private static String only(List<String> lines) {
    assertEquals(1, lines.size(), lines::toString);
    return lines.get(0);
  }

  @Test
  void preflightOfAnyOriginIsTold() {
    assertEquals(
        "HEADERS END_STREAM :status=204 access-control-allow-origin=*"
            + " access-control-allow-methods=GET, POST, HEAD, PUT, PATCH, DELETE"
            + " access-control-allow-headers=content-type,x-mine"
            + " access-control-max-age=7200"
            + " vary=access-control-request-method, access-control-request-headers",
        only(
            calls(Cors.allowAnyOrigin())
                .open(preflight(APP, "access-control-request-headers", "content-type,x-mine"), true)
                .lines()));
  }

  @Test
  void preflightOfANamedOriginIsTold() {
    Cors cors =
        Cors.allowOrigins("http://other:8080", APP)
            .withAllowedHeaders("X-Mine")
            .withMaxAge(Duration.ofMinutes(1))
            .withCredentials();
    assertEquals(
        "HEADERS END_STREAM :status=204 access-control-allow-origin="
            + APP
            + " vary=origin access-control-allow-credentials=true"
            + " access-control-allow-methods=GET, POST, HEAD, PUT, PATCH, DELETE"
            + " access-control-allow-headers=content-type, content-encoding, accept-encoding,"
            + " connect-protocol-version, connect-timeout-ms, connect-content-encoding,"
            + " connect-accept-encoding, grpc-timeout, grpc-encoding, grpc-accept-encoding,"
            + " x-grpc-web, x-user-agent, x-mine"
            + " access-control-max-age=60"
            + " vary=access-control-request-method, access-control-request-headers",
        only(calls(cors).open(preflight(APP), true).lines()));
  }

  @Test
  void preflightOfAnotherOriginIsForbidden() {
    assertEquals(
        "HEADERS END_STREAM :status=403 vary=origin",
        only(calls(Cors.allowOrigins(APP)).open(preflight("https://evil.example"), true).lines()));
  }

  @Test
  void optionsWithoutAnOriginIsNoPreflight() {
    Headers options = new Headers().add(":method", "OPTIONS").add(":path", "/test.Echo/Call");
    String answer = calls(Cors.allowAnyOrigin()).open(options, true).lines().get(0);
    assertTrue(answer.startsWith("HEADERS :status=405"), answer);
  }

  @Test
  void withoutCorsAPreflightIsARequestLikeAnyOther() {
    String answer = Calls.inline(Calls.hello()).open(preflight(APP), true).lines().get(0);
    assertTrue(answer.startsWith("HEADERS :status=405"), answer);
    assertFalse(answer.contains("access-control"), answer);
  }

  @Test
  void answersOfCallsMayBeRead() {
    Headers request = headers("content-type", "application/grpc-web", "origin", APP);
    List<String> lines = calls(Cors.allowAnyOrigin()).call(request, message("you")).lines();
    assertEquals(
        "HEADERS :status=200 content-type=application/grpc-web access-control-allow-origin=*"
            + " access-control-expose-headers="
            + EXPOSED
            + ", *",
        lines.get(0));
    assertEquals(3, lines.size());
  }

  @Test
  void answersToANamedOriginAreForItAlone() {
    Headers request = headers("content-type", "application/proto", "origin", APP);
    Cors cors = Cors.allowOrigins(APP).withCredentials().withExposedHeaders("Trailer-X");
    assertEquals(
        "HEADERS :status=200 content-type=application/proto access-control-allow-origin="
            + APP
            + " vary=origin access-control-allow-credentials=true access-control-expose-headers="
            + EXPOSED
            + ", trailer-x",
        calls(cors).call(request, new byte[0]).lines().get(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"content-type", ":path", ":method", "connect-protocol-version"})
  void refusalsMayBeReadToo(String field) {
    Headers request = headers("content-type", "application/proto", "origin", APP, field, "/x");
    String answer = calls(Cors.allowAnyOrigin()).call(request, new byte[0]).lines().get(0);
    assertTrue(answer.contains(" access-control-allow-origin=*"), answer);
  }

  @Test
  void anotherOriginIsToldNothing() {
    Headers request = headers("content-type", "application/proto", "origin", "https://evil");
    assertEquals(
        "HEADERS :status=200 content-type=application/proto",
        calls(Cors.allowOrigins(APP)).call(request, new byte[0]).lines().get(0));
  }

  /** A page of an allowed origin must not be given what a cache keeps for others. */
  @Test
  void whatCachesKeepDependsOnTheOrigin() {
    Headers get =
        new Headers().add(":method", "GET").add(":path", "/test.Echo/Call?encoding=proto&message=");
    assertEquals(
        "HEADERS :status=200 content-type=application/proto vary=accept-encoding vary=origin",
        calls(Cors.allowOrigins(APP)).open(get, true).lines().get(0));
  }

  @Test
  void answersOfEndpointsMayBeRead() {
    Routes routes = new Routes(CallSettings.defaults().withCors(Cors.allowAnyOrigin()), 1);
    routes.addEndpoint("/page");
    ResponseHead found = ResponseHead.of(200, new Headers());
    Router router =
        new Router(
            routes,
            new FakeLoop(),
            (stream, headers, end) -> {
              stream.head(found, null, true);
              return Refusal.DEAF;
            });
    FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
    Headers get = new Headers().add(":method", "GET").add(":path", "/page").add("origin", "null");
    stream.transport().burst(() -> router.onRequest(stream, get, true));
    assertTrue(only(stream.lines()).contains("access-control-allow-origin=*"));
  }

  @Test
  void whatBrowsersWouldNotUnderstandIsRefused() {
    for (String origin : List.of("app.example", "https://app.example/", "*", "", "https://a,b")) {
      assertThrows(IllegalArgumentException.class, () -> Cors.allowOrigins(origin), origin);
    }
    Cors any = Cors.allowAnyOrigin();
    assertThrows(IllegalArgumentException.class, any::withCredentials);
    assertThrows(IllegalArgumentException.class, () -> any.withMaxAge(Duration.ofSeconds(-1)));
    assertThrows(IllegalArgumentException.class, () -> any.withExposedHeaders("a b"));
    assertThrows(IllegalArgumentException.class, () -> any.withAllowedHeaders(""));
    assertThrows(IllegalArgumentException.class, Cors::allowOrigins);
  }
}
