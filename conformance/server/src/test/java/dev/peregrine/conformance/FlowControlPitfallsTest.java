package dev.peregrine.conformance;

import static dev.peregrine.conformance.RawClient.ECHO;
import static dev.peregrine.conformance.RawClient.SETTING_INITIAL_WINDOW;
import static dev.peregrine.conformance.RawClient.message;
import static dev.peregrine.conformance.RawClient.setting;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.peregrine.conformance.v1.BigRequest;
import dev.peregrine.conformance.v1.EchoRequest;
import dev.peregrine.conformance.v1.SleepRequest;
import dev.peregrine.rpc.CallEnd;
import dev.peregrine.rpc.ServerObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Pitfalls F: windows, queues and memory when peers or handlers are slow. */
class FlowControlPitfallsTest {

  private static final String BIG = "/peregrine.conformance.v1.Probe/Big";
  private static final String SLEEP = "/peregrine.conformance.v1.Probe/Sleep";
  private static final int LONG_MILLIS = 60_000;
  private static final int CANCEL = 8;
  private static final int MIB = 1 << 20;

  // P57: 1000 replies of 1 MB for a client that opens no window. The test JVM would not hold them.
  @Test
  void repliesNobodyReadsAreBounded() throws IOException {
    try (ProbeServer server = ProbeServer.workers(2);
        RawClient slow = RawClient.connect(server.port(), setting(SETTING_INITIAL_WINDOW, 0));
        RawClient other = server.connect()) {
      long before = usedHeapBytes();
      byte[] request = big(1_000_000);
      for (int i = 0; i < 1000; i++) {
        int stream = slow.newStream();
        slow.headers(stream, FieldBlock.call(BIG), false).data(stream, request, true);
      }
      slow.send();
      slow.sync();
      other.expectSecondCall();
      long grownBytes = usedHeapBytes() - before;
      assertTrue(grownBytes < 200L * MIB, "the heap grew by " + grownBytes / MIB + " MiB");
      other.expectSecondCall();
    }
  }

  // P57: what was queued is given back when its reader goes.
  @Test
  void queuedRepliesAreFreedWhenTheConnectionIsLost() throws IOException {
    try (ProbeServer server = ProbeServer.inline();
        RawClient other = server.connect()) {
      other.expectSecondCall();
      long before = usedHeapBytes();
      for (int i = 0; i < 20; i++) {
        try (RawClient slow =
            RawClient.connect(server.port(), setting(SETTING_INITIAL_WINDOW, 0))) {
          for (int j = 0; j < 10; j++) {
            int stream = slow.newStream();
            slow.headers(stream, FieldBlock.call(BIG), false).data(stream, big(MIB), true);
          }
          slow.send();
          slow.sync();
        }
      }
      other.expectSecondCall();
      long grownBytes = usedHeapBytes() - before;
      assertTrue(grownBytes < 50L * MIB, "the heap grew by " + grownBytes / MIB + " MiB");
    }
  }

  // P115: a small reply waits for one turn of the large ones before it, not for their end.
  @Test
  void aSmallReplyPassesLargeOnes() throws IOException {
    int large = 10;
    int turnBytes = 16_384;
    try (ProbeServer server = ProbeServer.inline();
        RawClient client =
            RawClient.connect(server.port(), setting(SETTING_INITIAL_WINDOW, 1 << 30))) {
      int[] streams = new int[large];
      for (int i = 0; i < large; i++) {
        streams[i] = client.newStream();
        client.headers(streams[i], FieldBlock.call(BIG), false);
        client.data(streams[i], big(MIB), true);
      }
      int small = client.newStream();
      client.headers(small, FieldBlock.call(ECHO), false).data(small, echo(100), true);
      client.send();
      client.sync(); // the window of the connection, 64 KiB, is used up; everything is queued
      int granted = 0;
      while (!client.replySoFar(small).ended()) {
        assertTrue(granted < (large + 2) * turnBytes, "the small reply waits for the large ones");
        client.windowUpdate(0, turnBytes).send();
        client.sync();
        granted += turnBytes;
      }
      client.openWindows().send();
      for (int stream : streams) {
        assertEquals(0, client.reply(stream).status());
      }
    }
  }

  // P66: a burst grows buffers; idleness gives them back, the connections still being there.
  @Test
  void aBurstLeavesNoMemoryBehind() throws IOException {
    try (ProbeServer server = ProbeServer.inline();
        RawClient other = server.connect()) {
      other.expectSecondCall();
      long before = usedHeapBytes();
      List<RawClient> clients = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        RawClient client = server.connect();
        clients.add(client.openWindows());
        int[] streams = new int[10];
        for (int j = 0; j < streams.length; j++) {
          streams[j] = client.newStream();
          client.headers(streams[j], FieldBlock.call(BIG), false);
          client.data(streams[j], big(MIB), true);
        }
        client.send();
        for (int stream : streams) {
          assertEquals(0, client.reply(stream).status());
          client.forget(stream);
        }
      }
      long grownBytes = usedHeapBytes() - before;
      assertTrue(grownBytes < 20L * MIB, "the heap grew by " + grownBytes / MIB + " MiB");
      for (RawClient client : clients) {
        client.expectSecondCall();
        client.close();
      }
    }
  }

  // P68: connections that are cut in the middle of calls leave nothing behind.
  @Test
  void deadConnectionsLeaveNoCallsBehind() throws Exception {
    int calls = 3000;
    CountDownLatch ended = new CountDownLatch(calls);
    OneMethod waiting = OneMethod.eventDriven(call -> message -> {});
    ServerObserver observer =
        new ServerObserver() {
          @Override
          public void callEnded(CallEnd end) {
            ended.countDown();
          }
        };
    try (ProbeServer server = ProbeServer.with(b -> b.observe(observer).add(waiting))) {
      for (int i = 0; i < calls / 10; i++) {
        try (RawClient client = server.connect()) {
          for (int j = 0; j < 10; j++) {
            int stream = client.newStream();
            client.headers(stream, FieldBlock.call(OneMethod.PATH), false);
            client.data(stream, echo(10), false);
          }
          client.send();
          client.sync();
          if (i % 2 == 0) {
            client.abort(); // RST, not FIN
          }
        }
      }
      assertTrue(ended.await(20, TimeUnit.SECONDS), () -> ended + " calls have not ended");
      try (RawClient other = server.connect()) {
        other.expectSecondCall();
        assertEquals(1, server.server().connections());
      }
    }
  }

  // P62: handlers that are all busy must not stop the socket.
  @Test
  void theSocketIsReadWhileEveryHandlerIsBusy() throws IOException {
    try (ProbeServer server = ProbeServer.workers(2);
        RawClient client = server.connect()) {
      client.openWindows();
      int[] sleeping = {client.newStream(), client.newStream()};
      for (int stream : sleeping) {
        client.headers(stream, FieldBlock.call(SLEEP), false).data(stream, sleep(), true);
      }
      client.send();
      byte[] request = echo(MIB);
      int[] streams = new int[20];
      for (int i = 0; i < streams.length; i++) {
        streams[i] = client.newStream();
        client.headers(streams[i], FieldBlock.call(ECHO), false).send();
        client.upload(streams[i], request, true);
      }
      // Every window update and every ping came through, though no handler was free.
      client.sync();
      assertFalse(client.replySoFar(streams[0]).ended());
      for (int stream : sleeping) {
        client.reset(stream, CANCEL);
      }
      client.send();
      for (int stream : streams) {
        assertArrayEquals(request, client.reply(stream).data());
      }
      client.expectSecondCall();
    }
  }

  // P63: streams without a window of their own must not hold the connection's.
  @Test
  void aBlockedStreamHoldsNoWindowOfTheConnection() throws IOException {
    try (ProbeServer server = ProbeServer.inline();
        RawClient client = RawClient.connect(server.port(), setting(SETTING_INITIAL_WINDOW, 0))) {
      byte[] request = big(60_000);
      int[] blocked = new int[16];
      for (int i = 0; i < blocked.length; i++) {
        blocked[i] = client.newStream();
        client.headers(blocked[i], FieldBlock.call(BIG), false).data(blocked[i], request, true);
      }
      int last = client.newStream();
      client.headers(last, FieldBlock.call(BIG), false).data(last, request, true);
      // The connection's window, 65,535, is just enough for one reply.
      client.windowUpdate(last, 65_535).send();
      Reply reply = client.reply(last);
      assertEquals(0, reply.status(), reply::toString);
      for (int stream : blocked) {
        assertEquals("HEADERS", client.replySoFar(stream).frames());
        client.windowUpdate(0, 65_535).windowUpdate(stream, 65_535).send();
        assertEquals(0, client.reply(stream).status());
      }
    }
  }

  // P63: a connection's window that runs out is shared, and nothing is lost or reordered.
  @Test
  void repliesLargerThanAllWindowsArriveWholeInSmallSteps() throws IOException {
    try (ProbeServer server = ProbeServer.inline();
        RawClient client = RawClient.connect(server.port(), setting(SETTING_INITIAL_WINDOW, 1))) {
      int[] streams = new int[8];
      for (int i = 0; i < streams.length; i++) {
        streams[i] = client.newStream();
        client.headers(streams[i], FieldBlock.call(BIG), false).data(streams[i], big(50_000), true);
      }
      client.send();
      boolean open = true;
      while (open) {
        open = false;
        for (int stream : streams) {
          if (!client.replySoFar(stream).ended()) {
            open = true;
            client.windowUpdate(stream, 5_003).windowUpdate(0, 5_003);
          }
        }
        client.sync();
      }
      for (int stream : streams) {
        expectBig(client.reply(stream), 50_000);
      }
    }
  }

  // P63: SETTINGS may take a window below zero; then nothing is sent until it is positive again.
  @Test
  void aWindowLoweredBelowZeroIsWaitedFor() throws IOException {
    try (ProbeServer server = ProbeServer.inline();
        RawClient client = RawClient.connect(server.port(), setting(SETTING_INITIAL_WINDOW, 100))) {
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(BIG), false).data(stream, big(200), true).send();
      settle(client);
      assertEquals(100, client.replySoFar(stream).data().length);
      client.frame(Frame.SETTINGS, 0, 0, setting(SETTING_INITIAL_WINDOW, 40));
      client.windowUpdate(stream, 60);
      settle(client);
      assertEquals(100, client.replySoFar(stream).data().length);
      client.windowUpdate(stream, 1);
      settle(client);
      assertEquals(101, client.replySoFar(stream).data().length);
      client.frame(Frame.SETTINGS, 0, 0, setting(SETTING_INITIAL_WINDOW, 1000)).send();
      expectBig(client.reply(stream), 200);
    }
  }

  // P65: 64 KiB for all streams together would slow large messages to a crawl.
  @Test
  void theConnectionWindowIsRaisedRightAway() throws IOException {
    try (ProbeServer server = ProbeServer.inline();
        RawClient client = server.connect()) {
      client.sync();
      assertTrue(client.connectionWindow() >= MIB, "" + client.connectionWindow());
      assertTrue(client.setting(SETTING_INITIAL_WINDOW) >= MIB / 2);
    }
  }

  // P65: and it is kept open while content flows.
  @Test
  void windowsAreGivenBackWhileContentFlows() throws IOException {
    try (ProbeServer server = ProbeServer.inline();
        RawClient client = server.connect()) {
      client.openWindows();
      byte[] request = echo(3 * MIB);
      for (int i = 0; i < 12; i++) {
        int stream = client.newStream();
        client.headers(stream, FieldBlock.call(ECHO), false).send();
        client.upload(stream, request, true);
        assertArrayEquals(request, client.reply(stream).data());
      }
      client.sync();
      assertTrue(client.connectionWindow() >= MIB, "" + client.connectionWindow());
    }
  }

  // A reset in the middle of a reply frees what was queued, and the window others need.
  @Test
  void aResetDuringAReplyLeavesTheConnectionAtWork() throws IOException {
    try (ProbeServer server = ProbeServer.inline();
        RawClient client =
            RawClient.connect(server.port(), setting(SETTING_INITIAL_WINDOW, 1000))) {
      for (int i = 0; i < 20; i++) {
        int stream = client.newStream();
        client.headers(stream, FieldBlock.call(BIG), false).data(stream, big(MIB), true);
        settle(client);
        assertEquals(1000, client.replySoFar(stream).data().length);
        client.reset(stream, CANCEL);
        client.sync();
      }
      client.expectSecondCall();
    }
  }

  /**
   * Waits until the server has sent all it may: a ping is answered ahead of content, so what the
   * first one's burst produced has come when the second is answered.
   */
  private static void settle(RawClient client) throws IOException {
    client.sync();
    client.sync();
  }

  private static void expectBig(Reply reply, int payloadBytes) {
    assertEquals(0, reply.status(), reply::toString);
    byte[] payload = new byte[payloadBytes];
    for (int i = 0; i < payloadBytes; i++) {
      payload[i] = (byte) (i % Probe.BIG_PERIOD);
    }
    // EchoRequest has the same form as BigResponse.
    assertArrayEquals(
        message(EchoRequest.newBuilder().setPayload(ByteString.copyFrom(payload)).build()),
        reply.data());
  }

  private static long usedHeapBytes() {
    Runtime runtime = Runtime.getRuntime();
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
    }
    return used;
  }

  private static byte[] big(int payloadBytes) {
    return message(BigRequest.newBuilder().setPayloadBytes(payloadBytes).build());
  }

  private static byte[] echo(int payloadBytes) {
    ByteString payload = ByteString.copyFrom(new byte[payloadBytes]);
    return message(EchoRequest.newBuilder().setPayload(payload).build());
  }

  private static byte[] sleep() {
    return message(SleepRequest.newBuilder().setMillis(LONG_MILLIS).build());
  }
}
