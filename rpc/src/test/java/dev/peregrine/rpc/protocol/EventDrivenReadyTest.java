package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServiceDefinition;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each time {@code ready()} turns true again, the listener hears of it, and once. */
class EventDrivenReadyTest {

  private static final Method<StringValue, StringValue> CHAT =
      Method.bidiStreaming(
          "test.Echo/Call", StringValue.getDefaultInstance(), StringValue.getDefaultInstance());

  private static final int MARK_BYTES = 100;
  private static final String LARGE = "l".repeat(2 * MARK_BYTES);

  private final FakeLoop loop = new FakeLoop();
  private final FakeHttpStream stream = new FakeHttpStream(new FakeTransport());
  private Router router;
  private Call<StringValue> call;
  private int readies;

  /** Sends back what arrives, whether or not there is room. */
  private final class Echo implements CallListener<StringValue> {
    @Override
    public void onMessage(StringValue message) {
      call.send(message);
      call.request(1);
    }

    @Override
    public void onReady() {
      readies++;
    }
  }

  private Exchange begin(boolean inline) {
    Executor direct = Runnable::run;
    Routes routes = new Routes(Limits.DEFAULTS.withMaxQueuedResponseBytes(MARK_BYTES), 1);
    routes.add(
        () ->
            ServiceDefinition.of("test.Echo")
                .eventDriven(
                    CHAT,
                    started -> {
                      call = started;
                      return new Echo();
                    }),
        inline ? Execution.inline() : Execution.on(direct));
    stream.claimable(false);
    router = new Router(routes, loop, null);
    return new Exchange(loop, router, stream, RequestParts.headers(), false);
  }

  private void echo(Exchange exchange, String text) {
    exchange.data(RequestParts.message(text), false);
    turn();
  }

  private void turn() {
    int entries = 1;
    while (entries > 0) {
      entries = loop.runOutbox();
      router.burstEnded();
    }
  }

  /** The peer has taken so much that only this is left; no callback says so. */
  private void left(int bytes) {
    stream.queuedBytes(bytes);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void roomFoundByTheEngine(boolean inline) {
    Exchange exchange = begin(inline);
    left(2 * MARK_BYTES);
    echo(exchange, LARGE);
    assertFalse(call.ready());
    left(0);
    exchange.writable();
    turn();
    assertTrue(call.ready());
    assertEquals(1, readies);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void roomFoundByASendWhileNotReady(boolean inline) {
    Exchange exchange = begin(inline);
    left(2 * MARK_BYTES);
    echo(exchange, LARGE);
    assertFalse(call.ready());
    left(MARK_BYTES / 2);
    echo(exchange, "small");
    assertTrue(call.ready());
    assertEquals(1, readies);
    left(0);
    exchange.writable();
    turn();
    assertEquals(1, readies);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void fullAgainAndRoomAgain(boolean inline) {
    Exchange exchange = begin(inline);
    for (int round : List.of(1, 2, 3)) {
      left(2 * MARK_BYTES);
      echo(exchange, LARGE);
      assertFalse(call.ready());
      left(0);
      echo(exchange, "small");
      assertTrue(call.ready());
      assertEquals(round, readies);
    }
  }

  @Test
  void messageThatLeavesAtOnceNeverMadeItUnready() {
    Exchange exchange = begin(true);
    left(0);
    echo(exchange, LARGE);
    assertTrue(call.ready());
    assertEquals(0, readies);
  }
}
