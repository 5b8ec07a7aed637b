package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.RequestParts.headers;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.CallEnd;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.ContextKey;
import dev.peregrine.rpc.Cors;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.HttpEnd;
import dev.peregrine.rpc.ServerObserver;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpHandler;
import dev.peregrine.wire.ResponseHead;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What observers hear of the ends of calls and of other requests. */
class ObservedEndTest {

  private static final ContextKey<String> LEFT = ContextKey.of("left at the start");

  private final List<CallEnd> calls = new ArrayList<>();
  private final List<HttpEnd> others = new ArrayList<>();
  private final HeldTasks tasks = new HeldTasks();

  private final ServerObserver observer =
      new ServerObserver() {
        @Override
        public void callStarted(Context context) {
          context.set(LEFT, context.wireRequest().field("x-name"));
        }

        @Override
        public void callEnded(CallEnd end) {
          calls.add(end);
        }

        @Override
        public void httpEnded(HttpEnd end) {
          others.add(end);
        }
      };

  private static final HttpHandler PAGE =
      (stream, headers, end) -> {
        stream.head(ResponseHead.of(200, new Headers()), null, false);
        stream.data("page".getBytes(UTF_8), 0, 4, true);
        return Refusal.DEAF;
      };

  private Exchange open(Execution execution, Headers headers) {
    CallSettings defaults = CallSettings.defaults();
    CallSettings settings =
        new CallSettings(
            defaults.limits(),
            List.of(),
            List.of(observer),
            defaults.compressors(),
            defaults.codecs(),
            Cors.allowAnyOrigin());
    Routes routes = new Routes(settings, 1);
    routes.add(
        () ->
            ServiceDefinition.of("test.Echo")
                .unary(
                    Calls.CALL,
                    (request, context) -> {
                      if (request.getValue().isEmpty()) {
                        throw Status.NOT_FOUND.exception();
                      }
                      context.set(LEFT, "by the handler");
                      return request;
                    }),
        execution);
    routes.addEndpoint("/page");
    FakeLoop loop = new FakeLoop();
    FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
    return new Exchange(loop, new Router(routes, loop, PAGE), stream, headers, false);
  }

  private CallEnd end() {
    assertEquals(1, calls.size(), calls.toString());
    assertEquals(List.of(), others);
    return calls.get(0);
  }

  @Test
  void endTellsTheRequestAndWhatTheObserverLeft() {
    Exchange unused =
        open(Execution.on(tasks), headers("x-name", "one"))
            .data(RequestParts.message("you"), true)
            .reset();
    CallEnd end = end();
    assertEquals("grpc", end.protocol());
    assertEquals("one", end.context().get(LEFT));
    assertEquals("POST", end.request().method());
    assertEquals("/test.Echo/Call", end.request().target());
    assertEquals("2", end.request().httpVersion());
    assertEquals(List.of("te", "content-type", "x-name"), end.request().fieldNames());
  }

  @Test
  void laterValueStandsForTheFirst() {
    Exchange unused =
        open(Execution.inline(), headers("x-name", "one")).data(RequestParts.message("you"), true);
    assertEquals("by the handler", end().context().get(LEFT));
    assertEquals(200, end().httpStatus());
  }

  @Test
  void statusOfCallThatWasNotAnsweredIsNone() {
    Exchange unused = open(Execution.inline(), headers()).reset();
    assertEquals(Status.Code.CANCELLED, end().status().code());
    assertEquals(0, end().httpStatus());
  }

  @Test
  void errorOfGrpcIsAnsweredBy200() {
    Exchange unused = open(Execution.inline(), headers()).data(RequestParts.message(""), true);
    assertEquals(Status.Code.NOT_FOUND, end().status().code());
    assertEquals(200, end().httpStatus());
  }

  @Test
  void errorOfConnectIsAnsweredByTheStatusOfItsCode() {
    Exchange unused =
        open(Execution.inline(), headers("content-type", "application/proto"))
            .data(StringValue.getDefaultInstance().toByteArray(), true);
    assertEquals("connect", end().protocol());
    assertEquals(404, end().httpStatus());
  }

  @Test
  void refusalTellsTheRequestToo() {
    Exchange unused =
        open(Execution.inline(), headers("content-type", "application/proto", ":path", "/x?y"));
    CallEnd end = end();
    assertNull(end.context());
    assertEquals("connect", end.protocol());
    assertEquals(404, end.httpStatus());
    assertEquals("/x?y", end.request().target());
  }

  // What browsers and scanners ask for is no failed call.
  @Test
  void pageThatIsNotThereIsNoCall() {
    Exchange unused = open(Execution.inline(), headers(":path", "/none?1", "content-type", null));
    assertEquals(List.of(), calls);
    assertEquals(1, others.size());
    HttpEnd end = others.get(0);
    assertEquals(404, end.httpStatus());
    assertEquals("nothing is served at this path\n".length(), end.responseBytes());
    assertEquals("/none?1", end.request().target());
  }

  @Test
  void endpointIsNoCall() {
    Exchange unused =
        open(Execution.inline(), headers(":path", "/page?1", "content-type", null))
            .data(new byte[3], true);
    assertEquals(List.of(), calls);
    assertEquals(1, others.size());
    HttpEnd end = others.get(0);
    assertEquals(200, end.httpStatus());
    assertEquals(4, end.responseBytes());
    assertEquals("/page?1", end.request().target());
    assertNull(end.request().field("content-type"));
  }

  @Test
  void preflightIsNoCall() {
    Exchange unused =
        open(
            Execution.inline(),
            headers(
                ":method",
                "OPTIONS",
                "origin",
                "https://a.example",
                "access-control-request-method",
                "POST"));
    assertEquals(List.of(), calls);
    assertEquals(204, others.get(0).httpStatus());
  }
}
