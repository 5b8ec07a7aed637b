package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.CallEnd;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Interceptor;
import dev.peregrine.rpc.ServerObserver;
import dev.peregrine.rpc.ServiceDefinition;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What observers can learn of a call when they hear of it. */
class ObserverTest {

  private final List<String> heard = new ArrayList<>();

  private void call(String... changes) {
    Interceptor observer =
        new Interceptor() {
          @Override
          public void callStarted(Context context) {
            boolean limited = context.remainingNanos() != Context.NO_DEADLINE;
            heard.add(context.method() + (limited ? " with a deadline" : " without a deadline"));
          }
        };
    Routes routes = new Routes(CallSettings.defaults(), 1);
    routes.add(
        () ->
            ServiceDefinition.of("test.Echo")
                .unary(Calls.CALL, (request, context) -> StringValue.of("hello")),
        Execution.inline(),
        List.of(observer));
    FakeLoop loop = new FakeLoop();
    FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
    Exchange unused =
        new Exchange(
                loop, new Router(routes, loop, null), stream, RequestParts.headers(changes), false)
            .data(RequestParts.message("you"), true);
  }

  @Test
  void deadlineIsKnownWhenTheCallStarts() {
    call("grpc-timeout", "5S");
    assertEquals(List.of("test.Echo/Call with a deadline"), heard);
  }

  @Test
  void callWithoutTimeoutStartsWithoutDeadline() {
    call();
    assertEquals(List.of("test.Echo/Call without a deadline"), heard);
  }

  /** An observer may be of another version than what it calls, and throw an Error. */
  @Test
  void whatAnObserverThrowsKeepsNothingFromTheCallOrFromOthers() {
    ServerObserver broken =
        new ServerObserver() {
          @Override
          public void callStarted(Context context) {
            throw new NoSuchMethodError("callStarted");
          }

          @Override
          public void callEnded(CallEnd end) {
            throw new IllegalStateException("callEnded");
          }
        };
    ServerObserver sound =
        new ServerObserver() {
          @Override
          public void callEnded(CallEnd end) {
            heard.add(end.method() + " " + end.status().code());
          }
        };
    CallSettings defaults = CallSettings.defaults();
    Routes routes =
        new Routes(
            new CallSettings(
                defaults.limits(),
                List.of(),
                List.of(broken, sound),
                defaults.compressors(),
                defaults.codecs(),
                defaults.cors()),
            1);
    routes.add(
        () ->
            ServiceDefinition.of("test.Echo")
                .unary(Calls.CALL, (request, context) -> StringValue.of("hello")),
        Execution.inline());
    Router router = new Router(routes, new FakeLoop(), null);
    try (LogCapture log = new LogCapture()) {
      FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
      Exchange call =
          new Exchange(new FakeLoop(), router, stream, RequestParts.headers(), false)
              .data(RequestParts.message("you"), true);
      assertTrue(call.lines().toString().contains("grpc-status=0"), call.lines()::toString);
      assertEquals(2, log.records().size());
    }
    assertEquals(List.of("test.Echo/Call OK"), heard);
    assertEquals(0, router.openCalls());
  }
}
