package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Interceptor;
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
}
