package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.Answers.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServiceDefinition;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that waited too long for a thread does not take it up. */
class QueueWaitTest {

  private static final Method<StringValue, StringValue> CHAT =
      Method.bidiStreaming(
          "test.Echo/Call", StringValue.getDefaultInstance(), StringValue.getDefaultInstance());

  @Test
  void staleCallIsRefusedAndCounted() {
    HeldTasks worker = new HeldTasks();
    AtomicInteger handled = new AtomicInteger();
    Calls calls =
        new Calls(
            Execution.on(worker),
            // The fake loop's clock is far behind the real one, by which threads measure.
            Limits.DEFAULTS.withMaxQueueWait(Duration.ofNanos(1)),
            (request, context) -> {
              handled.incrementAndGet();
              return request;
            });
    Exchange call = calls.call("you");
    worker.run();
    calls.loop().runOutbox();
    assertEquals(
        List.of(fails(14, "the server is too busy; the call waited too long for a thread")),
        call.lines());
    assertEquals(0, handled.get());
    assertEquals(List.of(Limit.WAITING_CALLS), calls.loop().limits());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void staleStreamIsRefusedAndCounted(boolean eventDriven) {
    HeldTasks worker = new HeldTasks();
    AtomicInteger handled = new AtomicInteger();
    Routes routes = new Routes(Limits.DEFAULTS.withMaxQueueWait(Duration.ofNanos(1)), 1);
    ServiceDefinition definition = ServiceDefinition.of("test.Echo");
    if (eventDriven) {
      definition.eventDriven(
          CHAT,
          call -> {
            handled.incrementAndGet();
            return message -> {};
          });
    } else {
      definition.bidiStreaming(CHAT, (requests, responses, context) -> handled.incrementAndGet());
    }
    routes.add(() -> definition, Execution.on(worker));
    FakeLoop loop = new FakeLoop();
    FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
    Exchange call =
        new Exchange(loop, new Router(routes, loop, null), stream, RequestParts.headers(), false);
    worker.run();
    loop.runOutbox();
    assertEquals(
        List.of(fails(14, "the server is too busy; the call waited too long for a thread")),
        call.lines());
    assertEquals(0, handled.get());
    assertEquals(List.of(Limit.WAITING_CALLS), loop.limits());
  }
}
