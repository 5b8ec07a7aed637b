package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The place an event-driven call holds in the queue of its execution is given back, however it
 * ends.
 */
class EventDrivenPlaceTest {

  private final HeldTasks worker = new HeldTasks();
  private final FakeLoop loop = new FakeLoop();
  private final List<String> heard = new ArrayList<>();
  private final Router router;
  private Call<StringValue> call;

  EventDrivenPlaceTest() {
    Routes routes = new Routes(Limits.DEFAULTS, 1);
    routes.add(
        () -> ServiceDefinition.of("test.Echo").eventDriven(Calls.CALL, this::start),
        Execution.on(worker).withQueue(1));
    router = new Router(routes, loop, null);
  }

  private CallListener<StringValue> start(Call<StringValue> started) {
    call = started;
    return new CallListener<>() {
      @Override
      public void onMessage(StringValue message) {
        heard.add(message.getValue());
      }

      @Override
      public void onCancel(Status reason) {
        heard.add("cancelled");
      }
    };
  }

  private Exchange begin(String text) {
    FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
    return new Exchange(loop, router, stream, RequestParts.headers(), false)
        .data(RequestParts.message(text), true);
  }

  private void turn() {
    worker.run();
    loop.runOutbox();
    router.burstEnded();
    worker.run();
  }

  @Test
  void afterOneIsCancelledTheNextIsServed() {
    for (int i = 0; i < 3; i++) {
      Exchange cancelled = begin("a" + i);
      turn();
      cancelled.reset();
      turn();
      turn();
      assertEquals(List.of("a" + i, "cancelled"), heard);
      heard.clear();
    }
  }

  @Test
  void afterOneIsCancelledBeforeItRanTheNextIsServed() {
    begin("a").reset();
    turn();
    turn();
    begin("b");
    turn();
    assertEquals(List.of("b"), heard);
  }

  @Test
  void afterOneHasEndedTheNextIsServed() {
    for (int i = 0; i < 3; i++) {
      Exchange ended = begin("a" + i);
      turn();
      call.send(StringValue.of("reply"));
      call.close(Status.OK);
      turn();
      assertTrue(ended.lines().toString().contains("grpc-status=0"), ended.lines().toString());
    }
    assertEquals(List.of("a0", "a1", "a2"), heard);
  }
}
