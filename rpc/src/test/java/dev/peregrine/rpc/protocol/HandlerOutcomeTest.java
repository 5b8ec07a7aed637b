package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.Answers.HEAD;
import static dev.peregrine.rpc.protocol.Answers.OK;
import static dev.peregrine.rpc.protocol.Answers.fails;
import static dev.peregrine.rpc.protocol.RequestParts.dataLine;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.RpcException;
import dev.peregrine.rpc.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of what a handler returns or throws, on the loop and off it. */
class HandlerOutcomeTest {

  private static List<String> answer(
      boolean inline, Limits limits, Handler.Unary<StringValue, StringValue> handler) {
    return answer(inline, limits, handler, new FakeHttpStream(new FakeTransport()));
  }

  private static List<String> answer(
      boolean inline,
      Limits limits,
      Handler.Unary<StringValue, StringValue> handler,
      FakeHttpStream stream) {
    HeldTasks tasks = new HeldTasks();
    Calls calls = new Calls(inline ? Execution.inline() : Execution.on(tasks), limits, handler);
    Exchange exchange = calls.call(stream, "you");
    tasks.run();
    calls.loop().runOutbox();
    return exchange.lines();
  }

  private static List<String> answer(
      boolean inline, Handler.Unary<StringValue, StringValue> handler) {
    return answer(inline, Limits.DEFAULTS, handler);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void responseGoesByClaimOrByData(boolean inline) {
    FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
    stream.claimable(false);
    assertEquals(
        List.of(HEAD, dataLine("hello you"), OK),
        answer(inline, Limits.DEFAULTS, Calls.hello(), stream));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void emptyResponseIsAMessage(boolean inline) {
    assertEquals(
        List.of(HEAD, "DATA \\00\\00\\00\\00\\00", OK),
        answer(inline, (request, context) -> StringValue.getDefaultInstance()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyCodeArrivesWithItsText(boolean inline) {
    for (Status.Code code : Status.Code.values()) {
      if (code != Status.Code.OK) {
        Status status = Status.of(code);
        assertEquals(
            List.of(fails(code.number())), answer(inline, (request, context) -> throwing(status)));
        assertEquals(
            List.of(fails(code.number(), "it is so")),
            answer(inline, (request, context) -> throwing(status.withMessage("it is so"))));
      }
    }
  }

  private static StringValue throwing(Status status) {
    throw status.exception();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void trailersOfAnExceptionFollowThoseOfTheContext(boolean inline) {
    assertEquals(
        List.of(
            HEAD + " x-header=1",
            "TRAILERS grpc-status=5 grpc-message=no such name x-trailer=2 x-why=3 x-why-bin=AQI"),
        answer(
            inline,
            (request, context) -> {
              context.responseTrailers().add("x-trailer", "2");
              context.responseHeaders().add("x-header", "1");
              Metadata trailers = new Metadata();
              trailers.add("x-why", "3").addBinary("x-why-bin", new byte[] {1, 2});
              throw new RpcException(Status.NOT_FOUND.withMessage("no such name"), trailers);
            }));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void exceptionMayCarryTheTrailersOfTheContext(boolean inline) {
    assertEquals(
        List.of(fails(5) + " x-trailer=1"),
        answer(
            inline,
            (request, context) -> {
              context.responseTrailers().add("x-trailer", "1");
              throw new RpcException(Status.NOT_FOUND, context.responseTrailers());
            }));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void headersAndTrailersFrameTheResponse(boolean inline) {
    assertEquals(
        List.of(HEAD + " x-header=1 x-header=2", dataLine("hello you"), OK + " x-trailer=3"),
        answer(
            inline,
            (request, context) -> {
              context.responseHeaders().add("x-header", "1").add("X-Header", "2");
              context.responseTrailers().add("x-trailer", "3");
              return StringValue.of("hello you");
            }));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void metadataThatIsLookedAtButEmptyAddsNothing(boolean inline) {
    assertEquals(
        List.of(HEAD, dataLine("0"), OK),
        answer(
            inline,
            (request, context) ->
                StringValue.of(
                    Integer.toString(
                        context.responseHeaders().size() + context.responseTrailers().size()))));
  }

  static Stream<Throwable> faults() {
    return Stream.of(
        new IllegalStateException("secret"),
        new IOException("secret"),
        new InterruptedException("secret"),
        new AssertionError("secret"),
        new StackOverflowError(),
        new NoClassDefFoundError("secret"));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void otherFaultsAreUnknownWithoutTextAndLoggedOnce(Throwable fault) {
    for (boolean inline : new boolean[] {true, false}) {
      try (LogCapture log = new LogCapture()) {
        assertEquals(
            List.of(fails(2)),
            answer(
                inline,
                (request, context) -> {
                  HandlerOutcomeTest.<RuntimeException>sneak(fault);
                  return null;
                }));
        assertEquals(1, log.records().size());
        LogRecord entry = log.records().get(0);
        assertSame(fault, entry.getThrown());
        assertTrue(entry.getMessage().contains("test.Echo/Call"), entry.getMessage());
      }
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void sneak(Throwable fault) throws T {
    throw (T) fault;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nullIsAFaultOfTheHandler(boolean inline) {
    try (LogCapture log = new LogCapture()) {
      assertEquals(
          List.of(fails(13, "the handler returned no response")),
          answer(inline, (request, context) -> null));
      assertEquals(1, log.records().size());
      assertTrue(log.records().get(0).getMessage().contains("test.Echo/Call"));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void answerToAnRpcExceptionIsNotLogged(boolean inline) {
    try (LogCapture log = new LogCapture()) {
      answer(inline, (request, context) -> throwing(Status.NOT_FOUND));
      assertEquals(List.of(), log.records());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void faultThatCannotBeLoggedStillEndsTheCall(boolean inline) {
    RuntimeException unprintable =
        new RuntimeException() {
          private static final long serialVersionUID = 1L;

          @Override
          public String getMessage() {
            throw new StackOverflowError("while printing");
          }
        };
    List<String> lines =
        answer(
            inline,
            (request, context) -> {
              throw unprintable;
            });
    assertEquals(List.of(fails(2)), lines);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void responseOverTheLimitIsResourceExhausted(boolean inline) {
    Limits limits = Limits.DEFAULTS.withMaxResponseBytes(10);
    assertEquals(
        List.of(HEAD, dataLine("12345678"), OK),
        answer(inline, limits, (request, context) -> StringValue.of("12345678")));
    assertEquals(
        List.of(fails(8, "a response of 11 bytes is over the limit of 10")),
        answer(inline, limits, (request, context) -> StringValue.of("123456789")));
  }

  /** Pitfall P16: text and how it must look in grpc-message. */
  static Stream<List<String>> texts() {
    return Stream.of(
        List.of(
            "100% gr\u00f6\u00dfer\nline2 \ud83d\ude80",
            "100%25 gr%C3%B6%C3%9Fer%0Aline2 %F0%9F%9A%80"),
        List.of("lone \ud83d high", "lone %EF%BF%BD high"),
        List.of("lone \ude80 low", "lone %EF%BF%BD low"),
        List.of("swapped \ude80\ud83d", "swapped %EF%BF%BD%EF%BF%BD"),
        List.of("\ud83d", "%EF%BF%BD"),
        List.of("\r\n\t\0\u007f", "%0D%0A%09%00%7F"),
        List.of(" spaces stay ", " spaces stay "),
        List.of("~", "~"),
        List.of("\u0080", "%C2%80"));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void textIsPercentEncodedUtf8(List<String> text) {
    Status status = Status.ABORTED.withMessage(text.get(0));
    for (boolean inline : new boolean[] {true, false}) {
      assertEquals(
          List.of(fails(10, text.get(1))), answer(inline, (request, context) -> throwing(status)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100, 160, 200, 210, 250, 300, 1000, 8192})
  void codeArrivesWhateverLittleThePeerTakes(int limitBytes) {
    FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
    stream.peerMaxHeaderListBytes(limitBytes);
    String text = "\ud83d\ude80 gr\u00f6\u00dfer ".repeat(1000);
    List<String> lines =
        answer(
            true,
            Limits.DEFAULTS,
            (request, context) -> {
              for (int i = 0; i < 100; i++) {
                context.responseTrailers().add("x-trailer-" + i, "v".repeat(200));
                context.responseHeaders().add("x-header-" + i, "v".repeat(200));
              }
              throw Status.ABORTED.withMessage(text).exception();
            },
            stream);
    String last = lines.get(lines.size() - 1);
    assertTrue(last.contains("grpc-status=10"), last);
    for (String line : limitBytes >= 160 ? lines : List.<String>of()) {
      assertTrue(listBytes(line) <= limitBytes, line);
    }
    if (limitBytes >= 300) {
      assertTrue(last.contains("grpc-message=%F0%9F%9A%80"), last);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 160, 400, 8192})
  void trailersAfterAResponseAreCutToo(int limitBytes) {
    FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
    stream.peerMaxHeaderListBytes(limitBytes);
    List<String> lines =
        answer(
            true,
            Limits.DEFAULTS,
            (request, context) -> {
              for (int i = 0; i < 100; i++) {
                context.responseTrailers().add("x-trailer-" + i, "v".repeat(100));
              }
              return request;
            },
            stream);
    assertEquals(3, lines.size());
    assertTrue(lines.get(2).startsWith(OK), lines.get(2));
    assertTrue(listBytes(lines.get(2)) <= limitBytes, lines.get(2));
    assertEquals(limitBytes >= 400, lines.get(2).contains("x-trailer-0="), lines.get(2));
  }

  /** The size of a section as RFC 9113, 6.5.2 counts it; values must have no spaces. */
  private static int listBytes(String line) {
    List<String> fields = new ArrayList<>();
    for (String word : line.split(" ", -1)) {
      boolean begins = word.matches(":?[a-z0-9-]+=.*");
      if (begins || fields.isEmpty()) {
        fields.add(word);
      } else {
        fields.set(fields.size() - 1, fields.get(fields.size() - 1) + " " + word);
      }
    }
    return fields.stream().skip(1).mapToInt(field -> field.length() - 1 + 32).sum();
  }
}
