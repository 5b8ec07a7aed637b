package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Execution;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client may rely on: a call up to the last id of the last GOAWAY is answered. */
class DrainUnderLoadTest {

  private static final int CLIENTS = 8;
  private static final int CALLS_AHEAD = 10;
  private static final int CALLS_BEFORE = 200;
  private static final int REFUSED_STREAM = 7;
  private static final int TIMEOUT_SECONDS = 30;

  static List<Execution> executions() {
    return ServerTest.executions();
  }

  @ParameterizedTest
  @MethodSource("executions")
  void everyCallThatWasAcceptedIsAnswered(Execution execution) throws Exception {
    CountDownLatch warm = new CountDownLatch(CLIENTS);
    try (Server server =
        Server.builder()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .loops(2)
            .onTerm(false)
            .add(new EchoService(), execution)
            .start()) {
      List<CompletableFuture<Integer>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        // A thread each: the common pool may have just one.
        clients.add(
            CompletableFuture.supplyAsync(
                () -> callUntilGoAway(server.port(), warm),
                task -> new Thread(task, "client").start()));
      }
      assertTrue(warm.await(TIMEOUT_SECONDS, TimeUnit.SECONDS));
      server.stop(Duration.ofSeconds(TIMEOUT_SECONDS));
      for (CompletableFuture<Integer> client : clients) {
        assertTrue(client.get(TIMEOUT_SECONDS, TimeUnit.SECONDS) >= CALLS_BEFORE);
      }
    }
  }

  /** Keeps calls under way until the server ends, and returns how many were answered. */
  private static int callUntilGoAway(int port, CountDownLatch warm) {
    try (RawClient client = new RawClient(port).open()) {
      int next = 1;
      for (int i = 0; i < CALLS_AHEAD; i++) {
        client.call(next, EchoService.PATH, "call " + next);
        next += 2;
      }
      client.flush();
      BitSet answered = new BitSet();
      int last = Integer.MAX_VALUE;
      RawClient.Frame frame = client.read();
      while (frame != null) {
        int ended = -1;
        if (frame.type() == RawClient.RST_STREAM) {
          // Sent before the client knew: it may safely be sent again elsewhere.
          assertEquals(REFUSED_STREAM, ByteBuffer.wrap(frame.payload()).getInt());
        } else {
          ended = client.onFrame(frame);
        }
        if (frame.type() == RawClient.GOAWAY) {
          last = ByteBuffer.wrap(frame.payload()).getInt();
        } else if (ended >= 0) {
          answered.set(ended);
          if (answered.cardinality() == CALLS_BEFORE) {
            warm.countDown();
          }
          if (last == Integer.MAX_VALUE) {
            client.call(next, EchoService.PATH, "call " + next).flush();
            next += 2;
          }
        }
        frame = client.read();
      }
      for (int streamId = 1; streamId < next; streamId += 2) {
        assertEquals(streamId <= last, answered.get(streamId), streamId + " of " + last);
      }
      return answered.cardinality();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
