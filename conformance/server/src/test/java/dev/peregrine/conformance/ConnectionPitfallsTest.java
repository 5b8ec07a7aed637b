package dev.peregrine.conformance;

import static dev.peregrine.conformance.RawClient.ECHO;
import static dev.peregrine.conformance.RawClient.PREFACE;
import static dev.peregrine.conformance.RawClient.SETTING_CONCURRENT_STREAMS;
import static dev.peregrine.conformance.RawClient.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.conformance.v1.EchoRequest;
import dev.peregrine.conformance.v1.SleepRequest;
import dev.peregrine.rpc.Execution;
import dev.peregrine.server.ConnectionLimits;
import dev.peregrine.wire.ErrorCode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Pitfalls G: drain, limits of connections and calls, peers that say nothing. */
class ConnectionPitfallsTest {

  private static final String SLEEP = "/peregrine.conformance.v1.Probe/Sleep";
  private static final byte[] EMPTY_MESSAGE = message(EchoRequest.getDefaultInstance());
  private static final int LONG_MILLIS = 60_000;
  private static final int CANCEL = 8;
  private static final int RESOURCE_EXHAUSTED = 8;
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final long SECOND_NANOS = 1_000_000_000;

  // P71
  @Test
  void aDrainSaysSoTwiceAndLosesNoCall() throws Exception {
    try (ProbeServer server = ProbeServer.workers(2);
        RawClient client = server.connect()) {
      int open = client.newStream();
      client.headers(open, FieldBlock.call(SLEEP), false).data(open, sleep(500), true);
      client.sync();
      CompletableFuture<Void> stopped = stop(server);

      Frame first = client.read();
      assertTrue(first.is(Frame.GOAWAY), first::toString);
      assertEquals(Integer.MAX_VALUE, first.int32(0));
      assertEquals(ErrorCode.NO_ERROR.code(), first.int32(4));
      Frame ping = client.read();
      assertTrue(ping.is(Frame.PING), ping::toString);

      // A call that was sent before the client saw the first GOAWAY.
      int late = client.newStream();
      client.headers(late, FieldBlock.call(ECHO), false).data(late, EMPTY_MESSAGE, true);
      client.frame(Frame.PING, Frame.ACK, 0, ping.payload()).send();
      assertEquals(0, client.reply(late).status());
      assertEquals(0, client.reply(open).status());
      while (client.read() != null) {
        // Until the server has closed.
      }
      assertEquals(late, client.goaway().int32(0));
      stopped.get(GRACE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  // P73: also peers that answer nothing, or have not even finished their preface (P81).
  @Test
  void idleConnectionsDoNotHoldUpAStop() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    try (ProbeServer server = ProbeServer.inline()) {
      for (int i = 0; i < 100; i++) {
        clients.add(server.connect());
      }
      clients.add(RawClient.silent(server.port()));
      clients.add(RawClient.silent(server.port()).raw(Arrays.copyOf(PREFACE, 10)).send());
      clients.get(0).expectSecondCall();
      long begin = System.nanoTime();
      server.server().stop(GRACE);
      long nanos = System.nanoTime() - begin;
      assertTrue(nanos < SECOND_NANOS, "stopping took " + nanos / 1_000_000 + " ms");
      for (RawClient client : clients) {
        while (client.read() != null) {
          // Until the server has closed.
        }
      }
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  // P73: and neither does a call that does not end, beyond the grace.
  @Test
  void aStuckCallIsCutAfterTheGrace() throws Exception {
    try (ProbeServer server = ProbeServer.workers(1);
        RawClient client = server.connect()) {
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(SLEEP), false).data(stream, sleep(LONG_MILLIS), true);
      client.sync();
      long begin = System.nanoTime();
      server.server().stop(Duration.ofMillis(300));
      long nanos = System.nanoTime() - begin;
      assertTrue(nanos < 5 * SECOND_NANOS, "stopping took " + nanos / 1_000_000 + " ms");
      while (client.read() != null) {
        // Until the server has closed.
      }
    }
  }

  // P78: long calls must not wait in silence behind a low limit.
  @Test
  void aHundredAndFiftyLongCallsRunAtOnce() throws IOException {
    try (ProbeServer server = ProbeServer.workers(160);
        RawClient client = server.connect()) {
      assertTrue(client.setting(SETTING_CONCURRENT_STREAMS) >= 1000);
      int[] streams = new int[150];
      for (int i = 0; i < streams.length; i++) {
        streams[i] = client.newStream();
        client.headers(streams[i], FieldBlock.call(SLEEP), false);
        client.data(streams[i], sleep(LONG_MILLIS), true);
      }
      client.send();
      awaitCalls(server, streams.length);
      for (int stream : streams) {
        assertFalse(client.replySoFar(stream).ended());
        client.reset(stream, CANCEL);
      }
      client.expectSecondCall();
    }
  }

  // P78: beyond what was announced a stream is refused, which clients know to be safe to retry.
  @Test
  void aStreamBeyondTheLimitIsRefused() throws IOException {
    try (ProbeServer server = ProbeServer.workers(1);
        RawClient client = server.connect()) {
      int limit = client.setting(SETTING_CONCURRENT_STREAMS);
      int[] streams = new int[limit];
      for (int i = 0; i < limit; i++) {
        streams[i] = client.newStream();
        client.headers(streams[i], FieldBlock.call(ECHO), false);
      }
      int beyond = client.newStream();
      client.headers(beyond, FieldBlock.call(ECHO), false).send();
      Reply reply = client.reply(beyond);
      assertEquals("RST_STREAM", reply.frames());
      assertEquals(ErrorCode.REFUSED_STREAM.code(), reply.resetCode());
      client.data(streams[0], EMPTY_MESSAGE, true).send();
      assertEquals(0, client.reply(streams[0]).status());
      client.expectSecondCall();
    }
  }

  // P79
  @Test
  void connectionsBeyondTheLimitAreClosed() throws IOException {
    try (ProbeServer server = withMaxConnections(3);
        RawClient first = server.connect();
        RawClient second = server.connect();
        RawClient third = server.connect()) {
      try (RawClient beyond = RawClient.silent(server.port())) {
        assertNull(beyond.read());
      }
      first.expectSecondCall();
      second.expectSecondCall();
      third.expectSecondCall();
    }
  }

  // P79: room that was given back is used again.
  @Test
  void aClosedConnectionMakesRoomForAnother() throws IOException {
    try (ProbeServer server = withMaxConnections(1)) {
      for (int i = 0; i < 20; i++) {
        connectWhenThereIsRoom(server);
      }
    }
  }

  private static ProbeServer withMaxConnections(int connections) throws IOException {
    ConnectionLimits limits = ConnectionLimits.DEFAULTS.withMaxConnections(connections);
    return ProbeServer.with(
        builder -> builder.execution(Execution.inline()).connectionLimits(limits));
  }

  /** The server learns of a close a moment after it happened. */
  private static void connectWhenThereIsRoom(ProbeServer server) throws IOException {
    long deadline = System.nanoTime() + 20 * SECOND_NANOS;
    while (true) {
      try (RawClient client = RawClient.silent(server.port())) {
        client.raw(PREFACE).frame(Frame.SETTINGS, 0, 0).send();
        if (client.read() != null) {
          client.expectSecondCall();
          return;
        }
      } catch (IOException e) {
        // Closed by the server while we wrote: no room yet.
      }
      assertTrue(System.nanoTime() < deadline, "no room");
    }
  }

  // P80: over the limit a call is refused at once, not late.
  @Test
  void callsBeyondTheQueueAreRefusedAtOnce() throws IOException {
    int running = 1;
    int queued = 4;
    try (ProbeServer server =
            ProbeServer.with(
                builder ->
                    builder.execution(Execution.workers(running).withQueue(running + queued)));
        RawClient client = server.connect()) {
      int[] streams = new int[running + queued];
      for (int i = 0; i < streams.length; i++) {
        streams[i] = client.newStream();
        client.headers(streams[i], FieldBlock.call(SLEEP), false);
        client.data(streams[i], sleep(LONG_MILLIS), true);
      }
      client.sync();
      for (int i = 0; i < 100; i++) {
        Reply reply = client.call(FieldBlock.call(SLEEP), sleep(LONG_MILLIS));
        assertEquals("HEADERS+ES", reply.frames());
        assertEquals(RESOURCE_EXHAUSTED, reply.status(), reply::toString);
      }
      for (int stream : streams) {
        client.reset(stream, CANCEL);
      }
      client.sync();
      expectServedAgain(client);
    }
  }

  private static void expectServedAgain(RawClient client) throws IOException {
    long deadline = System.nanoTime() + 20 * SECOND_NANOS;
    Reply reply;
    do {
      reply = client.call(FieldBlock.call(ECHO), EMPTY_MESSAGE);
      assertTrue(System.nanoTime() < deadline, reply::toString);
    } while (reply.status() == RESOURCE_EXHAUSTED);
    client.expectSecondCall();
  }

  private static CompletableFuture<Void> stop(ProbeServer server) {
    return CompletableFuture.runAsync(() -> server.server().stop(GRACE));
  }

  private static void awaitCalls(ProbeServer server, int calls) {
    long deadline = System.nanoTime() + 20 * SECOND_NANOS;
    while (server.calls() < calls) {
      assertTrue(System.nanoTime() < deadline, () -> server.calls() + " calls were started");
      Thread.onSpinWait();
    }
  }

  private static byte[] sleep(int millis) {
    return message(SleepRequest.newBuilder().setMillis(millis).build());
  }
}
