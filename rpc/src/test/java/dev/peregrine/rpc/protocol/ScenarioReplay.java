package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Execution;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Replays a scenario with its content cut in every way, ended in every way, with the handler on the
 * loop and off it. Test thread.
 */
final class ScenarioReplay {

  private ScenarioReplay() {}

  private enum RequestEnd {
    WITH_LAST_SLICE,
    EMPTY_SLICE,
    TRAILERS
  }

  /** Fails unless the answer is always the same. */
  static void inEveryWay(Scenario scenario) {
    for (int[] cut : Cuts.of(scenario.content().size())) {
      for (RequestEnd end : RequestEnd.values()) {
        replay(scenario, cut, end, false);
        replay(scenario, cut, end, true);
      }
    }
  }

  private static void replay(Scenario scenario, int[] cut, RequestEnd end, boolean inline) {
    AtomicInteger handled = new AtomicInteger();
    HeldTasks tasks = new HeldTasks();
    Calls calls =
        new Calls(
            inline ? Execution.inline() : Execution.on(tasks),
            scenario.limits(),
            (request, context) -> {
              handled.incrementAndGet();
              return StringValue.of("hello " + request.getValue());
            });
    Exchange exchange = calls.open(scenario.headers(), false);
    send(exchange, scenario.content().toByteArray(), cut, end);
    tasks.run();
    calls.loop().runOutbox();
    String replay = scenario + " cut " + Arrays.toString(cut) + " " + end + " inline " + inline;
    assertEquals(scenario.answer(), exchange.lines(), replay);
    assertEquals(scenario.handled(), handled.get(), replay);
    assertEquals(scenario.content().size(), exchange.stream().credited(), replay);
  }

  private static void send(Exchange exchange, byte[] content, int[] cut, RequestEnd end) {
    int at = 0;
    for (int i = 0; i < cut.length; i++) {
      boolean last = i == cut.length - 1 && end == RequestEnd.WITH_LAST_SLICE;
      exchange.data(content, at, cut[i], last);
      at += cut[i];
    }
    if (end == RequestEnd.EMPTY_SLICE || cut.length == 0) {
      exchange.data(content, at, 0, true);
    } else if (end == RequestEnd.TRAILERS) {
      exchange.trailers();
    }
  }
}
