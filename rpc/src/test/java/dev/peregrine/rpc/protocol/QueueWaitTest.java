package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.Answers.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.Limits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A call that waited too long for a thread does not take it up. */
class QueueWaitTest {

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
}
