package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServiceDefinition;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that streams faster than the handler takes is held back, whatever it sends. */
class WaitingRequestsTest {

  private static final Method<StringValue, StringValue> CALL =
      Method.clientStreaming(
          "test.Echo/Call", StringValue.getDefaultInstance(), StringValue.getDefaultInstance());

  private final HeldTasks worker = new HeldTasks();
  private final FakeLoop loop = new FakeLoop();
  private int taken;

  private Exchange begin() {
    Routes routes = new Routes(Limits.DEFAULTS, 1);
    routes.add(
        () ->
            ServiceDefinition.of("test.Echo")
                .clientStreaming(
                    CALL,
                    (requests, context) -> {
                      requests.forEach(request -> taken++);
                      return StringValue.of("all");
                    }),
        Execution.on(worker));
    Router router = new Router(routes, loop, null);
    FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
    return new Exchange(loop, router, stream, RequestParts.headers(), false);
  }

  /** Messages without content, too, cost memory. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000})
  void windowIsNotGivenBackWhileRequestsWait(int textLength) {
    int perSlice = 1000;
    byte[] one =
        textLength == 0 ? RequestParts.prefix(0, 0) : RequestParts.message("x".repeat(textLength));
    byte[][] parts = new byte[perSlice][];
    Arrays.fill(parts, one);
    byte[] slice = RequestParts.concat(parts);
    Exchange exchange = begin();
    int slices = 20_000_000 / (perSlice * (one.length + 195));
    for (int i = 0; i < slices; i++) {
      exchange.data(slice, false);
    }
    long messages = exchange.stream().credited() / one.length;
    assertTrue(messages * (one.length + 40L) < 1_000_000, messages + " messages were let in");
    exchange.data(new byte[0], true);
    worker.run();
    loop.runOutbox();
    assertEquals(slices * perSlice, taken);
    assertEquals(3, exchange.lines().size(), exchange.lines()::toString);
  }
}
