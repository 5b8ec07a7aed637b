package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.Answers.HEAD;
import static dev.peregrine.rpc.protocol.Answers.OK;
import static dev.peregrine.rpc.protocol.RequestParts.dataLine;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was sent before the end of an event-driven call arrives before it. */
class EventDrivenEndTest {

  private final HeldTasks worker = new HeldTasks();
  private final FakeLoop loop = new FakeLoop();
  private final FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
  private Call<StringValue> call;

  private Exchange begin() {
    Routes routes = new Routes(Limits.DEFAULTS, 1);
    routes.add(
        () ->
            ServiceDefinition.of("test.Echo")
                .eventDriven(
                    Calls.CALL,
                    started -> {
                      call = started;
                      return message -> {};
                    }),
        Execution.on(worker));
    Router router = new Router(routes, loop, null);
    Exchange exchange =
        new Exchange(loop, router, stream, RequestParts.headers(), false)
            .data(RequestParts.message("you"), true);
    worker.run();
    return exchange;
  }

  @Test
  void messageAndEndWhileTheLoopSendsAnEarlierMessage() {
    Exchange exchange = begin();
    call.send(StringValue.of("first"));
    stream.meanwhile(
        () -> {
          call.send(StringValue.of("second"));
          call.close(Status.OK);
        });
    loop.runOutbox();
    loop.runOutbox();
    assertEquals(List.of(HEAD, dataLine("first"), dataLine("second"), OK), exchange.lines());
  }

  @Test
  void messageAndEndWhileTheLoopHasNothingToSend() {
    Exchange exchange = begin();
    call.request(1);
    stream.meanwhile(
        () -> {
          call.send(StringValue.of("only"));
          call.close(Status.OK);
        });
    loop.runOutbox();
    loop.runOutbox();
    assertEquals(List.of(HEAD, dataLine("only"), OK), exchange.lines());
  }
}
