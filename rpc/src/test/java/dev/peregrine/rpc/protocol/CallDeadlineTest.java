package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.Answers.HEAD;
import static dev.peregrine.rpc.protocol.Answers.OK;
import static dev.peregrine.rpc.protocol.Answers.fails;
import static dev.peregrine.rpc.protocol.RequestParts.dataLine;
import static dev.peregrine.rpc.protocol.RequestParts.headers;
import static dev.peregrine.rpc.protocol.RequestParts.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deadlines: pitfalls P39 to P43. */
class CallDeadlineTest {

  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long TICK_NANOS = 1L << Deadlines.TICK_SHIFT;
  private static final String LATE = fails(4, "the deadline has passed");
  private static final List<String> SERVED = List.of(HEAD, dataLine("hello you"), OK);

  private final HeldTasks tasks = new HeldTasks();
  private final List<String> events = new ArrayList<>();

  private Exchange call(Calls calls, String... changes) {
    return calls.call(headers(changes), message("you"));
  }

  @Test
  void passingBeforeTheContentIsCompleteEndsTheCall() {
    Calls calls = Calls.inline(Calls.hello());
    Exchange exchange = calls.open(headers("grpc-timeout", "1S"), false);
    exchange.data(message("you"), 0, 4, false);
    calls.loop().advance(SECOND_NANOS - 1);
    calls.loop().runOutbox();
    assertEquals(List.of(), exchange.lines(), "early");
    calls.loop().advance(TICK_NANOS + 1);
    calls.loop().runOutbox();
    assertEquals(List.of(LATE), exchange.lines());
    exchange.data(message("you"), 4, message("you").length - 4, true);
    assertEquals(List.of(LATE), exchange.lines(), "what comes later is dropped");
    assertEquals(message("you").length, exchange.stream().credited());
  }

  @Test
  void passingWhileTheCallWaitsForAThreadSparesTheHandler() {
    Calls calls =
        Calls.on(
            tasks,
            (request, context) -> {
              events.add("handled");
              return request;
            });
    Exchange exchange = call(calls, "grpc-timeout", "1S");
    calls.loop().advance(SECOND_NANOS + TICK_NANOS);
    calls.loop().runOutbox();
    assertEquals(List.of(LATE), exchange.lines());
    tasks.run();
    calls.loop().runOutbox();
    assertEquals(List.of(LATE), exchange.lines());
    assertEquals(List.of(), events);
  }

  @Test
  void passingWhileTheHandlerRunsIsToldAndTheLateReplyDropped() {
    List<Calls> self = new ArrayList<>();
    Calls calls =
        Calls.on(
            tasks,
            (request, context) -> {
              context.onCancel(() -> events.add("hook"));
              assertFalse(context.isCancelled());
              self.get(0).loop().advance(SECOND_NANOS + TICK_NANOS);
              self.get(0).loop().runOutbox();
              events.add("cancelled " + context.isCancelled());
              context.responseTrailers().add("x-late", "1");
              return request;
            });
    self.add(calls);
    Exchange exchange = call(calls, "grpc-timeout", "1S");
    tasks.run();
    calls.loop().runOutbox();
    assertEquals(List.of(LATE), exchange.lines());
    assertEquals(List.of("hook", "cancelled true"), events);
    Thread.interrupted(); // the handler's thread is the test's
  }

  @Test
  void passingTogetherWithTheReplyEndsTheCallOnce() {
    Calls calls = Calls.on(tasks, Calls.hello());
    Exchange exchange = call(calls, "grpc-timeout", "1S");
    tasks.run();
    calls.loop().advance(SECOND_NANOS + TICK_NANOS);
    assertEquals(1, calls.loop().runOutbox());
    assertEquals(List.of(LATE), exchange.lines());
  }

  @Test
  void replyJustBeforeTheDeadlineDisarmsIt() {
    Calls calls = Calls.on(tasks, Calls.hello());
    Exchange exchange = call(calls, "grpc-timeout", "1S");
    calls.loop().advance(SECOND_NANOS - 1);
    tasks.run();
    calls.loop().runOutbox();
    assertEquals(SERVED, exchange.lines());
    assertEquals(Long.MAX_VALUE, calls.loop().deadlines().nextNanos());
    calls.loop().advance(10 * SECOND_NANOS);
    assertEquals(0, calls.loop().runOutbox());
    assertEquals(SERVED, exchange.lines());
  }

  @Test
  void everyEndDisarmsTheDeadline() {
    Calls calls = Calls.inline(Calls.hello());
    call(calls, "grpc-timeout", "1S");
    calls.open(headers("grpc-timeout", "1S"), false).reset();
    calls.open(headers("grpc-timeout", "1S"), true);
    calls.call(headers("grpc-timeout", "1S"), new byte[] {1});
    calls.call(headers("grpc-timeout", "1S"), new byte[] {9, 9, 9, 9, 9});
    assertEquals(Long.MAX_VALUE, calls.loop().deadlines().nextNanos());
  }

  @Test
  void resetAfterTheDeadlineIsQuiet() {
    Calls calls = Calls.on(tasks, Calls.hello());
    Exchange exchange = call(calls, "grpc-timeout", "1S");
    calls.loop().advance(2 * SECOND_NANOS);
    exchange.reset();
    calls.loop().runOutbox();
    tasks.run();
    calls.loop().runOutbox();
    assertEquals(List.of(), exchange.lines());
  }

  @Test
  void deadlineIsSeenByTheHandler() {
    List<Long> remaining = new ArrayList<>();
    Calls calls =
        Calls.inline(
            (request, context) -> {
              remaining.add(context.remainingNanos());
              return request;
            });
    call(calls);
    call(calls, "grpc-timeout", "99999999H");
    assertEquals(List.of(Context.NO_DEADLINE, Context.NO_DEADLINE), remaining);
    assertEquals(Long.MAX_VALUE, calls.loop().deadlines().nextNanos());
    call(calls, "grpc-timeout", "10S");
    // The loop of this test lives in the past of System.nanoTime(), or in its future.
    assertTrue(remaining.get(2) != Context.NO_DEADLINE);
  }

  @Test
  void serverSetsTheDeadlineOfCallsThatHaveNone() {
    Limits limits = Limits.DEFAULTS.withDefaultDeadline(Duration.ofSeconds(2));
    Calls calls = new Calls(Execution.on(tasks), limits, Calls.hello());
    Exchange without = call(calls);
    Exchange with = call(calls, "grpc-timeout", "5S");
    calls.loop().advance(2 * SECOND_NANOS + TICK_NANOS);
    calls.loop().runOutbox();
    assertEquals(List.of(LATE), without.lines());
    assertEquals(List.of(), with.lines());
  }

  @Test
  void serverCutsDeadlinesThatAreTooFar() {
    Limits limits = Limits.DEFAULTS.withMaxDeadline(Duration.ofSeconds(2));
    Calls calls = new Calls(Execution.on(tasks), limits, Calls.hello());
    Exchange without = call(calls);
    Exchange far = call(calls, "grpc-timeout", "99999999H");
    Exchange near = call(calls, "grpc-timeout", "1S");
    calls.loop().advance(SECOND_NANOS + TICK_NANOS);
    calls.loop().runOutbox();
    assertEquals(List.of(LATE), near.lines());
    assertEquals(List.of(), far.lines());
    calls.loop().advance(SECOND_NANOS);
    calls.loop().runOutbox();
    assertEquals(List.of(LATE), far.lines());
    assertEquals(List.of(LATE), without.lines());
  }

  @Test
  void manyCallsKeepTheirOwnDeadlines() {
    Calls calls = Calls.on(tasks, (request, context) -> StringValue.of("late"));
    List<Exchange> exchanges = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      exchanges.add(call(calls, "grpc-timeout", (i + 1) * 100 + "m"));
    }
    for (int i = 0; i < 200; i++) {
      assertEquals(List.of(), exchanges.get(i).lines(), "call " + i);
      calls.loop().advance(100_000_000L + (i == 0 ? TICK_NANOS : 0));
      calls.loop().runOutbox();
      assertEquals(List.of(LATE), exchanges.get(i).lines(), "call " + i);
    }
  }
}
