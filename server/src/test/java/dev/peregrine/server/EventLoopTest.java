package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventLoopTest {

  private static final ConnectionBudget WIDE = LoopRig.budget(100_000, 100_000);

  private static void echoOne(Socket client) throws IOException {
    client.getOutputStream().write(7);
    assertEquals(7, client.getInputStream().read());
  }

  @Test
  void severalLoopsShareConnectionsEvenly() throws Exception {
    List<Socket> clients = new ArrayList<>();
    try (LoopRig rig = new LoopRig(3, 0, LoopRig.budget(100_000, 100_000), FakeConnection::new)) {
      for (int i = 0; i < 30; i++) {
        Socket client = rig.connect();
        clients.add(client);
        echoOne(client); // so that it is placed before the next one comes
      }
      for (EventLoop loop : rig.loops) {
        assertEquals(10, loop.load().get());
      }
    } finally {
      for (Socket client : clients) {
        client.close();
      }
    }
  }

  @Test
  void tenThousandConnectionsComeAndGo() throws Exception {
    CountDownLatch gone = new CountDownLatch(10_000);
    ConnectionBudget budget = LoopRig.budget(100_000, 100_000);
    try (LoopRig rig =
        new LoopRig(
            2,
            0,
            budget,
            socket ->
                new FakeConnection(socket) {
                  @Override
                  public void closed() {
                    gone.countDown();
                  }
                })) {
      for (int batch = 0; batch < 20; batch++) {
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
          Socket client = rig.connect();
          client.setSoLinger(true, 0); // leaves no port in TIME_WAIT
          client.getOutputStream().write(7);
          clients.add(client);
        }
        for (Socket client : clients) {
          assertEquals(7, client.getInputStream().read());
          client.close();
        }
      }
      assertTrue(gone.await(LoopRig.TIMEOUT_MILLIS, TimeUnit.MILLISECONDS));
      assertEquals(0, rig.loops.get(0).load().get() + rig.loops.get(1).load().get());
      assertEquals(0, budget.open());
    }
  }

  @Test
  void tasksOfOtherThreadsRunAlthoughNoSocketIsReady() throws Exception {
    try (LoopRig rig = new LoopRig(FakeConnection::new)) {
      for (int i = 0; i < 1000; i++) {
        CountDownLatch ran = new CountDownLatch(1);
        rig.loops.get(0).execute(ran::countDown);
        assertTrue(ran.await(LoopRig.TIMEOUT_MILLIS, TimeUnit.MILLISECONDS));
      }
    }
  }

  @Test
  void faultInATaskDoesNotEndTheLoop() throws Exception {
    try (LoopRig rig = new LoopRig(FakeConnection::new);
        Socket client = rig.connect()) {
      rig.loops
          .get(0)
          .execute(
              () -> {
                throw new IllegalStateException("as a test");
              });
      echoOne(client);
    }
  }

  @Test
  void drainEndsIdleConnectionsWithinASecondAndFreesThePort() throws Exception {
    List<Socket> clients = new ArrayList<>();
    try (LoopRig rig = new LoopRig(2, 0, WIDE, FakeConnection::new)) {
      for (int i = 0; i < 100; i++) {
        clients.add(rig.connect());
      }
      long begin = System.nanoTime();
      assertTrue(rig.drain(LoopRig.TIMEOUT_MILLIS));
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      assertTrue(millis < 1000, "took " + millis + " ms");
      for (Socket client : clients) {
        assertEquals(-1, client.getInputStream().read());
        client.close();
      }
      assertThrows(ConnectException.class, rig::connect);
    }
  }

  @Test
  void drainServesConnectionsWhichTheKernelHasAcceptedAlready() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger drained = new AtomicInteger();
    List<Socket> clients = new ArrayList<>();
    try (LoopRig rig =
        new LoopRig(
            socket ->
                new FakeConnection(socket) {
                  private boolean draining;

                  @Override
                  public void receive(byte[] b, int offset, int length, long nowNanos) {
                    super.receive(b, offset, length, nowNanos);
                    if (draining) {
                      transport.close();
                    }
                  }

                  @Override
                  public void drain(long nowNanos) {
                    drained.incrementAndGet();
                    draining = true;
                  }
                })) {
      rig.loops
          .get(0)
          .execute(
              () -> {
                busy.countDown();
                awaitQuietly(release);
              });
      assertTrue(busy.await(LoopRig.TIMEOUT_MILLIS, TimeUnit.MILLISECONDS));
      for (int i = 0; i < 50; i++) {
        Socket client = rig.connect(); // by the kernel alone: the loop is busy
        client.getOutputStream().write(7);
        clients.add(client);
      }
      rig.shutdown.begin(0);
      release.countDown();
      for (Socket client : clients) {
        assertEquals(7, client.getInputStream().read());
        assertEquals(-1, client.getInputStream().read());
        client.close();
      }
      assertTrue(rig.shutdown.await(TimeUnit.MILLISECONDS.toNanos(LoopRig.TIMEOUT_MILLIS)));
      assertEquals(50, drained.get());
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      if (!latch.await(LoopRig.TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new AssertionError("never released");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void connectionsOverTheLimitAreClosedAtOnceAndPlacesComeBack() throws Exception {
    ConnectionBudget budget = LoopRig.budget(10, 2);
    try (LoopRig rig = new LoopRig(1, 0, budget, FakeConnection::new);
        Socket one = rig.connect();
        Socket two = rig.connect()) {
      echoOne(one);
      echoOne(two);
      try (Socket three = rig.connect()) {
        assertEquals(-1, three.getInputStream().read());
      }
      assertEquals(2, budget.open());
      two.shutdownOutput();
      assertEquals(-1, two.getInputStream().read());
      Socket four = connectUntilServed(rig);
      four.close();
    }
  }

  /** The place of a closed connection comes back a moment after the client sees the end. */
  private static Socket connectUntilServed(LoopRig rig) throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LoopRig.TIMEOUT_MILLIS);
    while (System.nanoTime() < end) {
      Socket client = rig.connect();
      client.getOutputStream().write(7);
      if (client.getInputStream().read() == 7) {
        return client;
      }
      client.close();
    }
    throw new AssertionError("no place came back");
  }
}
