package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.Answers.HEAD;
import static dev.peregrine.rpc.protocol.Answers.OK;
import static dev.peregrine.rpc.protocol.RequestParts.dataLine;
import static dev.peregrine.rpc.protocol.RequestParts.headers;
import static dev.peregrine.rpc.protocol.RequestParts.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The client resets the stream, or the connection is lost: pitfalls P45 to P48. */
class CallCancellationTest {

  private final HeldTasks tasks = new HeldTasks();
  private final List<String> events = new ArrayList<>();
  private Exchange exchange;
  private Context context;

  /** A call whose handler does something while it runs, on the executor. */
  private Calls running(Consumer<Context> action) {
    return new Calls(Execution.on(tasks).withoutInterrupts(), Limits.DEFAULTS, recording(action));
  }

  private Handler.Unary<StringValue, StringValue> recording(Consumer<Context> action) {
    return (request, called) -> {
      context = called;
      events.add("begin");
      action.accept(called);
      events.add("end");
      return StringValue.of("hello");
    };
  }

  private void hook(String name) {
    context.onCancel(() -> events.add(name));
  }

  /** Lets everything happen that is still to happen. */
  private void settle(Calls calls) {
    tasks.run();
    calls.loop().runOutbox();
  }

  @AfterEach
  void clearInterrupt() {
    Thread.interrupted();
  }

  @Test
  void beforeTheContentIsCompleteNothingHappens() {
    Calls calls = running(called -> {});
    exchange = calls.open(headers(), false).data(message("you"), 0, 6, false).reset();
    settle(calls);
    assertEquals(List.of(), exchange.lines());
    assertEquals(List.of(), events);
    assertTrue(exchange.call().ended());
  }

  @Test
  void beforeTheHandlerRunsSparesIt() {
    Calls calls = running(called -> {});
    exchange = calls.call("you").reset();
    settle(calls);
    assertEquals(List.of(), exchange.lines());
    assertEquals(List.of(), events);
  }

  @Test
  void whileTheHandlerRunsIsToldOnceAndTheReplyDropped() {
    Calls calls =
        running(
            called -> {
              hook("hook");
              exchange.reset();
              events.add("cancelled " + called.isCancelled());
            });
    exchange = calls.call("you");
    settle(calls);
    exchange.reset();
    assertEquals(List.of(), exchange.lines());
    assertEquals(List.of("begin", "hook", "cancelled true", "end"), events);
  }

  @Test
  void betweenTheReplyAndItsDeliveryDropsIt() {
    Calls calls = running(called -> hook("hook"));
    exchange = calls.call("you");
    tasks.run();
    exchange.reset();
    settle(calls);
    assertEquals(List.of(), exchange.lines());
    assertEquals(List.of("begin", "end", "hook"), events);
  }

  @Test
  void afterTheEndIsQuiet() {
    Calls calls = running(called -> hook("hook"));
    exchange = calls.call("you");
    settle(calls);
    List<String> answer = exchange.lines();
    try (LogCapture log = new LogCapture()) {
      exchange.reset();
      settle(calls);
      assertEquals(List.of(), log.records());
    }
    assertEquals(List.of(HEAD, dataLine("hello"), OK), answer);
    assertEquals(answer, exchange.lines());
    assertEquals(List.of("begin", "end"), events);
  }

  @Test
  void hooksRunInTheirOrderAndOneThatFailsStopsNoOther() {
    Calls calls =
        running(
            called -> {
              hook("first");
              called.onCancel(
                  () -> {
                    throw new IllegalStateException("on purpose");
                  });
              hook("second");
              called.onCancel(
                  () -> {
                    throw new AssertionError("on purpose");
                  });
              hook("third");
              exchange.reset();
            });
    exchange = calls.call("you");
    try (LogCapture log = new LogCapture()) {
      settle(calls);
      assertEquals(2, log.records().size());
    }
    assertEquals(List.of("begin", "first", "second", "third", "end"), events);
  }

  @Test
  void hookGivenAfterwardsRunsAtOnce() {
    Calls calls =
        running(
            called -> {
              exchange.reset();
              events.add("reset");
              hook("hook");
            });
    exchange = calls.call("you");
    settle(calls);
    assertEquals(List.of("begin", "reset", "hook", "end"), events);
  }

  @Test
  void hookOfACallThatHasEndedNeverRuns() {
    Calls calls = new Calls(Execution.inline(), Limits.DEFAULTS, recording(called -> hook("hook")));
    exchange = calls.call("you");
    exchange.reset();
    assertEquals(List.of("begin", "end"), events, "the call had ended");
    assertEquals(3, exchange.lines().size());
  }

  @Test
  void threadOfTheHandlerIsInterruptedUnlessUnwanted() {
    for (boolean wanted : new boolean[] {true, false}) {
      events.clear();
      Execution execution = Execution.on(tasks);
      Calls calls =
          new Calls(
              wanted ? execution : execution.withoutInterrupts(),
              Limits.DEFAULTS,
              recording(
                  called -> {
                    exchange.reset();
                    events.add("interrupted " + Thread.currentThread().isInterrupted());
                  }));
      exchange = calls.call("you");
      settle(calls);
      assertEquals(List.of("begin", "interrupted " + wanted, "end"), events);
      assertTrue(!Thread.currentThread().isInterrupted(), "the interrupt outlives the handler");
    }
  }

  @Test
  void faultOfAHandlerNobodyWaitsForIsNoWarning() {
    Calls calls =
        running(
            called -> {
              exchange.reset();
              throw new IllegalStateException("interrupted, or the like");
            });
    exchange = calls.call("you");
    try (LogCapture log = new LogCapture()) {
      settle(calls);
      assertEquals(List.of(), log.records());
    }
    assertEquals(List.of(), exchange.lines());
  }
}
