package dev.peregrine.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.testcalls.GrpcConnection;
import dev.peregrine.testcalls.Talk;
import dev.peregrine.testcalls.TalkServer;
import dev.peregrine.testcalls.Wire;
import dev.peregrine.testcalls.WireClient;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The spans of real calls. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OpenTelemetryTracingTest {

  private static final String SAY = Talk.SAY.fullName();
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";
  private static final String TRACEPARENT = "00-" + TRACE + "-" + PARENT + "-01";

  /** The span that was current in handlers, and the span of their calls. */
  private final ConcurrentLinkedQueue<String> current = new ConcurrentLinkedQueue<>();

  private final ConcurrentLinkedQueue<String> ofCalls = new ConcurrentLinkedQueue<>();

  private final Observed observed =
      new Observed(
          context -> {
            current.add(Span.current().getSpanContext().getSpanId());
            ofCalls.add(OpenTelemetryTracing.span(context).getSpanContext().getSpanId());
          });

  /** The span of the only call. */
  private SpanData span(TalkServer.Calls calls) throws Exception {
    observed.serve(calls);
    List<SpanData> all = observed.spans.getFinishedSpanItems();
    assertEquals(1, all.size(), all.toString());
    SpanData span = all.get(0);
    assertEquals(SpanKind.SERVER, span.getKind());
    return span;
  }

  private static void assertAttribute(String expected, SpanData span, String name) {
    assertEquals(expected, span.getAttributes().get(AttributeKey.stringKey(name)), span.toString());
  }

  private void assertAllCurrent(SpanData span) {
    assertFalse(current.isEmpty());
    current.forEach(id -> assertEquals(span.getSpanId(), id));
    ofCalls.forEach(id -> assertEquals(span.getSpanId(), id));
  }

  @ParameterizedTest
  @EnumSource
  void spanIsChildOfTheClientsOverEveryWire(Wire wire) throws Exception {
    SpanData span =
        span(
            (client, port) ->
                client.call(
                    wire, SAY, "you", "traceparent", TRACEPARENT, "tracestate", "vendor=1"));
    assertEquals(SAY, span.getName());
    assertEquals(TRACE, span.getTraceId());
    assertEquals(PARENT, span.getParentSpanId());
    assertTrue(span.getParentSpanContext().isRemote());
    assertEquals("1", span.getSpanContext().getTraceState().get("vendor"));
    assertAllCurrent(span);
    assertEquals(StatusCode.UNSET, span.getStatus().getStatusCode());
    assertAttribute(SAY, span, "rpc.method");
    assertAttribute("OK", span, "rpc.response.status_code");
    assertAttribute(
        switch (wire) {
          case GRPC, GRPC_WEB -> "grpc";
          case CONNECT, CONNECT_JSON -> "connectrpc";
          case PLAIN, MAPPED -> "http";
        },
        span,
        "rpc.system.name");
    assertAttribute(wire == Wire.GRPC ? "2" : "1.1", span, "network.protocol.version");
    assertAttribute("127.0.0.1", span, "network.peer.address");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-zz",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
      })
  void hostileContextIsNone(String traceparent) throws Exception {
    SpanData span =
        span((client, port) -> client.call(Wire.GRPC, SAY, "you", "traceparent", traceparent));
    assertFalse(span.getParentSpanContext().isValid());
    assertNotEquals(TRACE, span.getTraceId());
    assertAttribute("OK", span, "rpc.response.status_code");
  }

  @Test
  void stateInSeveralFieldsIsOneList() throws Exception {
    SpanData span =
        span(
            (client, port) ->
                client.call(
                    Wire.GRPC,
                    SAY,
                    "you",
                    "traceparent",
                    TRACEPARENT,
                    "tracestate",
                    "a=1",
                    "tracestate",
                    "b=2"));
    assertEquals("1", span.getSpanContext().getTraceState().get("a"));
    assertEquals("2", span.getSpanContext().getTraceState().get("b"));
  }

  @Test
  void enormousContextDoesNoHarm() throws Exception {
    String state = "a=" + "b".repeat(6000);
    SpanData span =
        span(
            (client, port) ->
                client.call(
                    Wire.GRPC, SAY, "you", "traceparent", TRACEPARENT, "tracestate", state));
    assertEquals(TRACE, span.getTraceId());
    assertTrue(span.getSpanContext().getTraceState().isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void answerIsNoErrorOfTheServer(Wire wire) throws Exception {
    SpanData span = span((client, port) -> client.call(wire, SAY, "fail"));
    assertEquals(StatusCode.UNSET, span.getStatus().getStatusCode());
    assertAttribute(
        wire.protocol().equals("connect") ? "not_found" : "NOT_FOUND",
        span,
        "rpc.response.status_code");
    assertEquals(List.of(), span.getEvents());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Say", "Together", "Spell", "Chat", "Listen"})
  void exceptionIsRecordedByEveryKindOfHandler(String method) throws Exception {
    SpanData span = span((client, port) -> client.call(Wire.GRPC, "test.Talk/" + method, "crash"));
    assertEquals(StatusCode.ERROR, span.getStatus().getStatusCode());
    assertAttribute("UNKNOWN", span, "rpc.response.status_code");
    assertAttribute("UNKNOWN", span, "error.type");
    assertEquals(1, span.getEvents().size());
    assertEquals("exception", span.getEvents().get(0).getName());
  }

  // One added twice, and another one: no span may be lost, nor be there twice.
  @ParameterizedTest
  @ValueSource(strings = {"one", "crash"})
  void severalTracingsMakeOneSpan(String message) throws Exception {
    OpenTelemetryTracing first = observed.newTracing();
    observed.tracings = List.of(first, first, observed.newTracing());
    SpanData span = span((client, port) -> client.call(Wire.GRPC, SAY, message));
    assertEquals(message.equals("crash") ? 1 : 0, span.getEvents().size());
    assertEquals(SAY, span.getName());
  }

  @Test
  void refusedCallHasOneSpanOfATracingThatWasAddedTwice() throws Exception {
    OpenTelemetryTracing first = observed.newTracing();
    observed.tracings = List.of(first, first);
    SpanData span = span((client, port) -> client.call(Wire.GRPC, "no.Such/Method", "you"));
    assertAttribute("UNIMPLEMENTED", span, "rpc.response.status_code");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Spell", "Chat", "Listen"})
  void spanIsCurrentInStreams(String method) throws Exception {
    assertAllCurrent(span((client, port) -> client.call(Wire.GRPC, "test.Talk/" + method, "one")));
  }

  @Test
  void spanOfACallInABatchIsReached() throws Exception {
    SpanData span = span((client, port) -> client.call(Wire.GRPC, "test.Talk/Together", "one"));
    assertEquals(List.of(span.getSpanId()), List.copyOf(ofCalls));
  }

  @Test
  void cancelledCallEndsItsSpanOnce() throws Exception {
    SpanData span =
        span(
            (client, port) -> {
              try (GrpcConnection connection = new GrpcConnection(port)) {
                connection.headers("/" + SAY, "traceparent", TRACEPARENT);
                connection.data(WireClient.envelopes("wait"), true);
                observed.talk.awaitWaiting();
                connection.cancel();
              }
            });
    assertEquals(PARENT, span.getParentSpanId());
    assertEquals(StatusCode.UNSET, span.getStatus().getStatusCode());
    assertAttribute("CANCELLED", span, "rpc.response.status_code");
  }

  @Test
  void passedDeadlineEndsTheSpanOnce() throws Exception {
    SpanData span =
        span((client, port) -> client.call(Wire.GRPC, SAY, "wait", "grpc-timeout", "20m"));
    assertEquals(StatusCode.ERROR, span.getStatus().getStatusCode());
    assertAttribute("DEADLINE_EXCEEDED", span, "rpc.response.status_code");
  }

  @Test
  void refusedCallHasASpanToo() throws Exception {
    SpanData span =
        span(
            (client, port) ->
                client.call(Wire.GRPC, "no.Such/Method", "you", "traceparent", TRACEPARENT));
    assertEquals("grpc", span.getName());
    assertEquals(PARENT, span.getParentSpanId());
    assertEquals(StatusCode.ERROR, span.getStatus().getStatusCode());
    assertAttribute("_OTHER", span, "rpc.method");
    assertAttribute("no.Such/Method", span, "rpc.method_original");
    assertAttribute("UNIMPLEMENTED", span, "rpc.response.status_code");
  }
}
