package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.Answers.HEAD;
import static dev.peregrine.rpc.protocol.Answers.OK;
import static dev.peregrine.rpc.protocol.RequestParts.dataLine;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Headers that a handler sends before its first message. */
class EarlyHeadersTest {

  private static final Method<StringValue, StringValue> CHAT =
      Method.bidiStreaming(
          "test.Echo/Call", StringValue.getDefaultInstance(), StringValue.getDefaultInstance());

  private final HeldTasks worker = new HeldTasks();
  private final FakeLoop loop = new FakeLoop();
  private Router router;
  private Call<StringValue> call;

  private Exchange begin(Execution execution) {
    Routes routes = new Routes(Limits.DEFAULTS, 1);
    routes.add(
        () ->
            ServiceDefinition.of("test.Echo")
                .eventDriven(
                    CHAT,
                    started -> {
                      call = started;
                      started.context().responseHeaders().add("x-head", "1");
                      return message -> {};
                    }),
        execution);
    router = new Router(routes, loop, null);
    FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
    Exchange exchange = new Exchange(loop, router, stream, RequestParts.headers(), false);
    worker.run();
    return exchange;
  }

  @Test
  void leaveBeforeTheFirstMessage() {
    for (Execution execution : List.of(Execution.inline(), Execution.on(worker))) {
      Exchange exchange = begin(execution);
      call.context().sendHeaders();
      loop.runOutbox();
      assertEquals(List.of(HEAD + " x-head=1"), exchange.lines());
      call.context().sendHeaders();
      call.send(StringValue.of("first"));
      call.close(Status.OK);
      loop.runOutbox();
      assertEquals(List.of(HEAD + " x-head=1", dataLine("first"), OK), exchange.lines());
    }
  }

  @Test
  void changesAfterThemAreIgnored() {
    Exchange exchange = begin(Execution.on(worker));
    call.context().sendHeaders();
    call.context().responseHeaders().add("x-late", "2");
    loop.runOutbox();
    assertEquals(List.of(HEAD + " x-head=1"), exchange.lines());
  }

  @Test
  void changesAfterTheFirstMessageAreIgnored() {
    Exchange exchange = begin(Execution.on(worker));
    call.send(StringValue.of("first"));
    call.context().responseHeaders().add("x-late", "2");
    loop.runOutbox();
    assertEquals(List.of(HEAD + " x-head=1", dataLine("first")), exchange.lines());
  }

  @Test
  void withoutFieldsAndThenEnd() {
    Calls calls =
        Calls.on(
            worker,
            (request, context) -> {
              context.sendHeaders();
              throw Status.NOT_FOUND.exception();
            });
    Exchange exchange = calls.call("you");
    worker.run();
    calls.loop().runOutbox();
    assertEquals(List.of(HEAD, "TRAILERS grpc-status=5"), exchange.lines());
  }

  @Test
  void afterTheClientIsGoneNothingLeaves() {
    Exchange exchange = begin(Execution.on(worker));
    exchange.reset();
    call.context().sendHeaders();
    loop.runOutbox();
    assertEquals(List.of(), exchange.lines());
  }

  @Test
  void unaryHandlerThatFailsLaterOnItsThread() {
    Calls calls =
        Calls.on(
            worker,
            (request, context) -> {
              context.responseHeaders().add("x-head", "1");
              context.sendHeaders();
              context.responseHeaders().add("x-late", "2");
              throw Status.NOT_FOUND.exception();
            });
    Exchange exchange = calls.call("you");
    worker.run();
    calls.loop().runOutbox();
    assertEquals(List.of(HEAD + " x-head=1", "TRAILERS grpc-status=5"), exchange.lines());
  }

  @Test
  void unaryHandlerOnTheLoopThatFailsLater() {
    Calls calls =
        Calls.inline(
            (request, context) -> {
              context.responseHeaders().add("x-head", "1");
              context.sendHeaders();
              throw Status.NOT_FOUND.exception();
            });
    Exchange exchange = calls.call("you");
    calls.loop().runOutbox();
    assertEquals(List.of(HEAD + " x-head=1", "TRAILERS grpc-status=5"), exchange.lines());
  }
}
