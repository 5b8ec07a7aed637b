package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.Answers.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A handler of batches that fails: every call is told, and the log once. */
class BatchFaultTest {

  private static final int CALLS = 3;

  private final HeldTasks worker = new HeldTasks();
  private final FakeLoop loop = new FakeLoop();

  private List<Exchange> calls(Handler.UnaryBatch<StringValue, StringValue> handler) {
    Routes routes = new Routes(Limits.DEFAULTS, 1);
    routes.add(
        () -> ServiceDefinition.of("test.Echo").unaryBatch(Calls.CALL, handler),
        Execution.on(worker));
    Router router = new Router(routes, loop, null);
    List<Exchange> exchanges = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
      exchanges.add(
          new Exchange(loop, router, stream, RequestParts.headers(), false)
              .data(RequestParts.message("call " + i), true));
    }
    return exchanges;
  }

  private void answer() {
    worker.run();
    loop.runOutbox();
  }

  @Test
  void unknownFaultIsLoggedOnce() {
    List<Exchange> calls =
        calls(
            (requests, contexts) -> {
              throw new IllegalStateException("of " + requests.size());
            });
    try (LogCapture log = new LogCapture()) {
      answer();
      assertEquals(1, log.records().size());
      assertEquals("of " + CALLS, log.records().get(0).getThrown().getMessage());
    }
    for (Exchange call : calls) {
      assertEquals(List.of(fails(2)), call.lines());
    }
  }

  @Test
  void cancelledCallIsNotTheOneThatLogs() {
    List<Exchange> calls =
        calls(
            (requests, contexts) -> {
              throw new IllegalStateException("of " + requests.size());
            });
    calls.get(0).reset();
    try (LogCapture log = new LogCapture()) {
      answer();
      assertEquals(1, log.records().size());
    }
    assertEquals(List.of(), calls.get(0).lines());
    assertEquals(List.of(fails(2)), calls.get(1).lines());
  }

  @Test
  void answerByStatusIsNotLoggedAndReachesAll() {
    List<Exchange> calls =
        calls(
            (List<StringValue> requests, List<Context> contexts) -> {
              throw Status.NOT_FOUND.withMessage("none").exception();
            });
    try (LogCapture log = new LogCapture()) {
      answer();
      assertEquals(List.of(), log.records());
    }
    for (Exchange call : calls) {
      assertEquals(List.of(fails(5, "none")), call.lines());
    }
  }
}
