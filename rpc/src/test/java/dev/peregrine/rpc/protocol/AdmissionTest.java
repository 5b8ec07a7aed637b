package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.Answers.HEAD;
import static dev.peregrine.rpc.protocol.Answers.OK;
import static dev.peregrine.rpc.protocol.Answers.fails;
import static dev.peregrine.rpc.protocol.RequestParts.concat;
import static dev.peregrine.rpc.protocol.RequestParts.dataLine;
import static dev.peregrine.rpc.protocol.RequestParts.headers;
import static dev.peregrine.rpc.protocol.RequestParts.message;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Status;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bound of calls that wait or run: it holds, and every call gives its place back exactly once,
 * however it ends.
 */
class AdmissionTest {

  private static final long LONG_NANOS = 60_000_000_000L;
  private static final String BUSY = fails(8, "too many calls are waiting; try again later");

  private final HeldTasks tasks = new HeldTasks();
  private Exchange exchange;

  @AfterEach
  void clearInterrupt() {
    Thread.interrupted();
  }

  /** Ways for a call to end. Each begins with an idle server and leaves it idle. */
  private static final Map<String, BiConsumer<AdmissionTest, Calls>> ENDINGS = new TreeMap<>();

  static {
    ENDINGS.put("ok", (test, calls) -> test.serve(calls, "ok"));
    ENDINGS.put("handler throws a status", (test, calls) -> test.serve(calls, "status"));
    ENDINGS.put("handler throws", (test, calls) -> test.serve(calls, "throw"));
    ENDINGS.put("handler returns null", (test, calls) -> test.serve(calls, "null"));
    ENDINGS.put("reset while running", (test, calls) -> test.serve(calls, "reset"));
    ENDINGS.put("reset after the deadline", AdmissionTest::resetAfterTheDeadline);
    ENDINGS.put("no content", (test, calls) -> calls.open(headers(), true));
    ENDINGS.put("no message", (test, calls) -> calls.call(headers(), new byte[0]));
    ENDINGS.put("malformed", (test, calls) -> calls.call(headers(), message(0, new byte[] {1})));
    ENDINGS.put("reserved flag", (test, calls) -> calls.call(headers(), message(2, new byte[1])));
    ENDINGS.put(
        "two messages", (test, calls) -> calls.call(headers(), concat(message("a"), message("b"))));
    ENDINGS.put("reset at once", (test, calls) -> calls.open(headers(), false).reset());
    ENDINGS.put(
        "reset before the handler",
        (test, calls) -> {
          calls.call("ok").reset();
          test.settle(calls);
        });
    ENDINGS.put(
        "reset before the reply",
        (test, calls) -> {
          Exchange replied = calls.call("ok");
          test.tasks.run();
          replied.reset();
          test.settle(calls);
        });
    ENDINGS.put(
        "deadline before the content",
        (test, calls) -> {
          calls.open(headers("grpc-timeout", "1S"), false);
          calls.loop().advance(LONG_NANOS);
          test.settle(calls);
        });
    ENDINGS.put(
        "deadline before the handler",
        (test, calls) -> {
          calls.call(headers("grpc-timeout", "1S"), message("ok"));
          calls.loop().advance(LONG_NANOS);
          test.settle(calls);
        });
    ENDINGS.put(
        "deadline with the reply",
        (test, calls) -> {
          calls.call(headers("grpc-timeout", "1S"), message("ok"));
          test.tasks.run();
          calls.loop().advance(LONG_NANOS);
          test.settle(calls);
        });
    ENDINGS.put(
        "refused before",
        (test, calls) -> {
          calls.call(headers("grpc-timeout", "0S"), message("ok"));
          calls.call(headers("grpc-timeout", "x"), message("ok"));
          calls.call(headers(":path", "/a.B/C"), message("ok"));
          calls.call(headers("grpc-encoding", "x"), message("ok"));
        });
    ENDINGS.put(
        "executor refuses",
        (test, calls) -> {
          test.tasks.refuse(new RejectedExecutionException("full"));
          test.endOf(calls, fails(14, "the server takes no more calls"));
        });
    ENDINGS.put(
        "executor cannot start a thread",
        (test, calls) -> {
          test.tasks.refuse(new OutOfMemoryError("unable to create native thread"));
          test.endOf(calls, fails(14, "the server takes no more calls"));
        });
    ENDINGS.put(
        "executor refuses what was reset",
        (test, calls) -> {
          Exchange lost = calls.open(headers(), false);
          test.tasks.refuse(new RejectedExecutionException("full"));
          lost.dataThenReset(message("ok"));
          test.settle(calls);
          assertEquals(List.of(), lost.lines());
        });
  }

  private void endOf(Calls calls, String line) {
    Exchange refused = calls.call("ok");
    settle(calls);
    assertEquals(List.of(line), refused.lines());
  }

  private void serve(Calls calls, String text) {
    exchange = calls.call(text);
    settle(calls);
  }

  private void resetAfterTheDeadline(Calls calls) {
    exchange = calls.call(headers("grpc-timeout", "1S"), message("ok"));
    calls.loop().advance(LONG_NANOS);
    exchange.reset();
    settle(calls);
  }

  private void settle(Calls calls) {
    tasks.run();
    calls.loop().runOutbox();
  }

  private Calls calls(Execution execution, Limits limits) {
    return new Calls(
        execution,
        limits,
        (request, context) -> {
          switch (request.getValue()) {
            case "status" -> throw Status.NOT_FOUND.exception();
            case "throw" -> throw new IllegalStateException("on purpose");
            case "null" -> {
              return null;
            }
            case "reset" -> exchange.reset();
            default -> {}
          }
          return StringValue.of("done");
        });
  }

  static Stream<String> endings() {
    return ENDINGS.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("endings")
  void placeOfAnExecutionIsGivenBackOnce(String ending) {
    repeat(ending, calls(Execution.on(tasks).withQueue(1), Limits.DEFAULTS), BUSY);
  }

  @ParameterizedTest
  @MethodSource("endings")
  void placeInTheServerIsGivenBackOnce(String ending) {
    String refused = fails(8, "the server has too many calls; try again later");
    repeat(ending, calls(Execution.on(tasks), Limits.DEFAULTS.withMaxCalls(1)), refused);
  }

  /** Too few given back, and the next call is refused; too many, and a second one is served. */
  private void repeat(String ending, Calls calls, String refused) {
    try (LogCapture log = new LogCapture()) {
      for (int i = 0; i < 20; i++) {
        ENDINGS.get(ending).accept(this, calls);
        assertEquals(0, tasks.size());
        Exchange one = calls.call("ok");
        Exchange two = calls.call("ok");
        assertEquals(List.of(refused), two.lines(), "a second one, round " + i);
        settle(calls);
        assertEquals(List.of(HEAD, dataLine("done"), OK), one.lines(), "round " + i);
      }
      assertEquals(
          ending.equals("handler throws") || ending.equals("handler returns null"),
          !log.records().isEmpty());
    }
  }

  @Test
  void boundCountsWhatWaitsAndWhatRuns() {
    Calls calls = calls(Execution.on(tasks).withQueue(3), Limits.DEFAULTS);
    for (int i = 0; i < 3; i++) {
      assertEquals(List.of(), calls.call("ok").lines());
    }
    assertEquals(List.of(BUSY), calls.call("ok").lines());
    tasks.run();
    assertEquals(List.of(BUSY), calls.call("ok").lines(), "replies are still on their way");
    calls.loop().runOutbox();
    assertEquals(List.of(), calls.call("ok").lines());
  }

  @Test
  void callOverTheBoundIsRefusedBeforeItIsDecoded() {
    CountingCodec codec = new CountingCodec();
    Calls calls =
        new Calls(
            Execution.on(tasks).withQueue(1),
            Limits.DEFAULTS,
            Method.of("test.Echo/Call", Method.Kind.UNARY, codec, codec),
            (request, context) -> request);
    calls.call("one");
    assertEquals(1, codec.decoded());
    assertEquals(List.of(BUSY), calls.call("two").lines());
    assertEquals(1, codec.decoded());
  }

  @Test
  void inlineCallsAreNotQueued() {
    Calls calls = calls(Execution.inline(), Limits.DEFAULTS.withMaxCalls(1));
    for (int i = 0; i < 100; i++) {
      assertEquals(List.of(HEAD, dataLine("done"), OK), calls.call("ok").lines());
    }
  }
}
