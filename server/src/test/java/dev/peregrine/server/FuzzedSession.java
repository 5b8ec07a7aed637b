package dev.peregrine.server;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import dev.peregrine.rpc.protocol.CallSettings;
import dev.peregrine.rpc.protocol.Router;
import dev.peregrine.rpc.protocol.Routes;
import dev.peregrine.wire.Connection;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A peer's bytes, mostly close to what clients send, through the engine and the call layer to
 * handlers and back, while time passes, the socket blocks and workers answer late. Test thread.
 */
final class FuzzedSession {

  private static final int MAX_SLICE_BYTES = 200;
  private static final int MAX_REQUEST_BYTES = 500;

  private final FuzzedDataProvider data;
  private final boolean http2;
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final MemoryLoop loop = new MemoryLoop();
  private final MemoryTransport transport = new MemoryTransport();
  private final Router router = new Router(routes(), loop, null);
  private Connection connection;

  FuzzedSession(FuzzedDataProvider data, boolean http2) {
    this.data = data;
    this.http2 = http2;
  }

  void begin(Connection engine) {
    connection = engine;
  }

  Router router() {
    return router;
  }

  MemoryTransport transport() {
    return transport;
  }

  long nowNanos() {
    return loop.nowNanos();
  }

  private Routes routes() {
    StringValue text = StringValue.getDefaultInstance();
    Routes routes =
        new Routes(
            CallSettings.defaults()
                .withLimits(Limits.DEFAULTS.withMaxRequestBytes(MAX_REQUEST_BYTES)),
            1);
    routes.add(
        () ->
            ServiceDefinition.of("test.Echo")
                .unary(
                    Method.unary("test.Echo/Unary", text, text).withNoSideEffects(),
                    (request, context) -> request)
                .eventDriven(Method.bidiStreaming("test.Echo/Chat", text, text), Echo::new),
        Execution.on(tasks::add));
    return routes;
  }

  /** Sends back what comes. */
  private record Echo(Call<StringValue> call) implements CallListener<StringValue> {
    @Override
    public void onMessage(StringValue message) {
      call.send(message);
      call.request(1);
    }

    @Override
    public void onHalfClose() {
      call.close(Status.OK);
    }
  }

  /** Does whatever the data say, and ends. */
  void converse() {
    while (data.remainingBytes() > 0 && !transport.closed()) {
      switch (data.consumeInt(0, 7)) {
        case 0, 1 -> receive(http2 ? FuzzedRequests.headers(data) : FuzzedRequests.head(data));
        case 2 -> receive(http2 ? FuzzedRequests.content(data) : FuzzedRequests.chunk(data));
        case 3 -> receive(data.consumeBytes(data.consumeInt(0, MAX_SLICE_BYTES)));
        case 4 ->
            receive(
                FuzzedRequests.frame(
                    data.consumeInt(0, 10),
                    data.consumeInt(0, 255),
                    data.consumeInt(0, 9),
                    data.consumeBytes(data.consumeInt(0, 20))));
        case 5 -> runTasks(data.consumeInt(1, 4));
        case 6 -> transport.writable(connection, data.consumeBoolean());
        default -> {
          loop.advance(data.consumeInt(0, 2_000) * 1_000_000L);
          connection.expire(loop.nowNanos());
        }
      }
      endTurn();
    }
    if (data.remainingBytes() % 2 == 0 && !transport.closed()) {
      connection.drain(loop.nowNanos());
    }
    transport.writable(connection, true);
    runTasks(Integer.MAX_VALUE);
    endTurn();
    connection.closed();
    runTasks(Integer.MAX_VALUE);
  }

  /** The peer sends bytes, as one burst. */
  void receive(byte[] bytes) {
    if (!transport.closed()) {
      connection.receive(bytes, 0, bytes.length, loop.nowNanos());
      router.burstEnded();
      transport.endBurst();
    }
  }

  private void runTasks(int count) {
    for (int i = 0; i < count && !tasks.isEmpty(); i++) {
      tasks.remove().run();
      endTurn();
    }
  }

  private void endTurn() {
    loop.runOutbox();
    if (transport.takeWake() && !transport.closed()) {
      connection.transmit();
    }
    transport.endBurst();
  }
}
