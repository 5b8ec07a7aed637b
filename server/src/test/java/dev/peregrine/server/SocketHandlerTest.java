package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.wire.Connection;
import dev.peregrine.wire.Transport;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SocketHandlerTest {

  private final BlockingQueue<FakeConnection> opened = new ArrayBlockingQueue<>(1000);

  private Connection echo(SocketHandler socket) {
    return remember(new FakeConnection(socket));
  }

  private FakeConnection remember(FakeConnection connection) {
    opened.add(connection);
    return connection;
  }

  private FakeConnection next() throws InterruptedException {
    FakeConnection connection = opened.poll(LoopRig.TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    assertTrue(connection != null, "no connection was opened");
    return connection;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static byte[] read(Socket socket, int length) throws IOException {
    byte[] bytes = new byte[length];
    new DataInputStream(socket.getInputStream()).readFully(bytes);
    return bytes;
  }

  @Test
  void answersOnTheSameConnection() throws Exception {
    try (LoopRig rig = new LoopRig(this::echo);
        Socket client = rig.connect()) {
      for (int i = 0; i < 100; i++) {
        byte[] message = bytes("message " + i);
        client.getOutputStream().write(message);
        assertArrayEquals(message, read(client, message.length));
      }
    }
  }

  @Test
  void answersWhileSpinningInsteadOfBlocking() throws Exception {
    ConnectionBudget budget = LoopRig.budget(10, 10);
    long spinNanos = 200_000;
    try (LoopRig rig = new LoopRig(1, spinNanos, budget, this::echo);
        Socket client = rig.connect()) {
      for (int i = 0; i < 100; i++) {
        byte[] message = bytes("message " + i);
        client.getOutputStream().write(message);
        assertArrayEquals(message, read(client, message.length));
      }
    }
  }

  @Test
  void echoesMuchMoreThanTheSocketBuffersHold() throws Exception {
    byte[] sent = random(8 * 1024 * 1024, 1);
    try (LoopRig rig = new LoopRig(this::echo);
        Socket client = new Socket()) {
      client.setReceiveBufferSize(4096);
      client.setSoTimeout(LoopRig.TIMEOUT_MILLIS);
      client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), rig.port));
      CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(client, sent));
      assertArrayEquals(sent, read(client, sent.length));
      writer.get();
    }
  }

  private static void write(Socket client, byte[] bytes) {
    try {
      client.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void tellsTheEngineWhenThePeerDoesNotReadAndWhenItReadsAgain() throws Exception {
    int chunk = 64 * 1024;
    CountDownLatch blocked = new CountDownLatch(1);
    AtomicInteger produced = new AtomicInteger();
    AtomicInteger resumed = new AtomicInteger();
    try (LoopRig rig =
            new LoopRig(
                socket ->
                    new FakeConnection(socket) {
                      @Override
                      public void receive(byte[] b, int offset, int length, long nowNanos) {
                        produce();
                      }

                      @Override
                      public void transmit() {
                        resumed.incrementAndGet();
                        if (resumed.get() < 3) {
                          produce();
                        }
                      }

                      private void produce() {
                        while (transport.writable()) {
                          transport.output().write(new byte[chunk], 0, chunk);
                          transport.flush();
                          produced.addAndGet(chunk);
                        }
                        assertTrue(transport.queuedBytes() > 0 && transport.queuedBytes() <= chunk);
                        blocked.countDown();
                      }
                    });
        Socket client = rig.connect()) {
      client.getOutputStream().write(1);
      assertTrue(blocked.await(LoopRig.TIMEOUT_MILLIS, TimeUnit.MILLISECONDS));
      int read = 0;
      while (resumed.get() < 3 || read < produced.get()) {
        read += read(client, chunk).length;
      }
      assertEquals(produced.get(), read);
      assertEquals(3, resumed.get());
    }
  }

  @Test
  void wakeLeadsToOneTransmitAndItsOutputIsSent() throws Exception {
    AtomicInteger transmitted = new AtomicInteger();
    try (LoopRig rig =
            new LoopRig(
                socket ->
                    new FakeConnection(socket) {
                      @Override
                      public void receive(byte[] b, int offset, int length, long nowNanos) {
                        transport.wake();
                        transport.wake();
                      }

                      @Override
                      public void transmit() {
                        byte[] text = bytes("woken " + transmitted.incrementAndGet());
                        transport.output().write(text, 0, text.length);
                      }
                    });
        Socket client = rig.connect()) {
      client.getOutputStream().write(1);
      assertArrayEquals(bytes("woken 1"), read(client, 7));
      client.getOutputStream().write(1);
      assertArrayEquals(bytes("woken 2"), read(client, 7));
    }
  }

  @Test
  void everythingABurstProducesArrivesAtOnce() throws Exception {
    int pieces = 100;
    try (LoopRig rig =
            new LoopRig(
                socket ->
                    new FakeConnection(socket) {
                      @Override
                      public void receive(byte[] b, int offset, int length, long nowNanos) {
                        for (int i = 0; i < pieces; i++) {
                          transport.output().write(b, offset, length);
                        }
                      }
                    });
        Socket client = rig.connect()) {
      byte[] buffer = new byte[10_000];
      for (int i = 0; i < 100; i++) {
        client.getOutputStream().write(bytes("ten bytes."));
        assertEquals(10 * pieces, client.getInputStream().read(buffer));
      }
    }
  }

  @Test
  void outputForAnotherConnectionDoesNotMixWithItsOwn() throws Exception {
    // Every connection sends what it gets to the first one as well, in turns.
    try (LoopRig rig =
            new LoopRig(
                socket ->
                    remember(
                        new FakeConnection(socket) {
                          @Override
                          public void receive(byte[] b, int offset, int length, long nowNanos) {
                            FakeConnection first = opened.peek();
                            for (int i = offset; i < offset + length; i++) {
                              transport.output().write(b[i]);
                              first.transport.output().write(b[i]);
                            }
                          }
                        }));
        Socket one = rig.connect()) {
      byte[] message = random(1000, 2);
      one.getOutputStream().write(bytes("x"));
      assertArrayEquals(bytes("xx"), read(one, 2));
      try (Socket two = rig.connect()) {
        two.getOutputStream().write(message);
        assertArrayEquals(message, read(two, message.length));
        assertArrayEquals(message, read(one, message.length));
      }
    }
  }

  @Test
  void stopsReadingWhenTheEngineAsksForIt() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    AtomicInteger received = new AtomicInteger();
    try (LoopRig rig =
            new LoopRig(
                socket ->
                    remember(
                        new FakeConnection(socket) {
                          @Override
                          public void receive(byte[] b, int offset, int length, long nowNanos) {
                            transport.readable(received.addAndGet(length) > 1);
                            transport.output().write(b, offset, length);
                            first.countDown();
                          }
                        }));
        Socket client = rig.connect()) {
      client.getOutputStream().write(1);
      assertArrayEquals(new byte[] {1}, read(client, 1));
      client.getOutputStream().write(2);
      // Whatever the loop does after this task, it has seen the socket ready and not read it.
      CountDownLatch turned = new CountDownLatch(1);
      rig.loops.get(0).execute(turned::countDown);
      assertTrue(turned.await(LoopRig.TIMEOUT_MILLIS, TimeUnit.MILLISECONDS));
      assertEquals(1, received.get());
      FakeConnection connection = next();
      rig.loops.get(0).execute(() -> connection.transport.readable(true));
      assertArrayEquals(new byte[] {2}, read(client, 1));
    }
  }

  @Test
  void peerThatClosesGetsWhatWasAnsweredAndTheEngineIsTold() throws Exception {
    try (LoopRig rig = new LoopRig(this::echo);
        Socket client = rig.connect()) {
      client.getOutputStream().write(bytes("last words"));
      client.shutdownOutput();
      assertArrayEquals(bytes("last words"), client.getInputStream().readAllBytes());
      assertTrue(next().awaitClosed());
    }
  }

  @Test
  void peerThatResetsClosesOnlyItsOwnConnection() throws Exception {
    try (LoopRig rig = new LoopRig(this::echo);
        Socket healthy = rig.connect()) {
      FakeConnection healthyConnection = next();
      for (int i = 0; i < 20; i++) {
        try (Socket client = rig.connect()) {
          client.setSoLinger(true, 0); // close() sends RST
          client.getOutputStream().write(random(100_000, i));
        }
        assertTrue(next().awaitClosed());
      }
      healthy.getOutputStream().write(bytes("still here"));
      assertArrayEquals(bytes("still here"), read(healthy, 10));
      assertEquals(1, healthyConnection.closed.getCount());
    }
  }

  /** Whatever comes is answered with the same bytes, and that is the end. */
  private static final class LastAnswer extends FakeConnection {
    private final byte[] answer;

    LastAnswer(Transport transport, byte[] answer) {
      super(transport);
      this.answer = answer;
    }

    @Override
    public void receive(byte[] bytes, int offset, int length, long nowNanos) {
      transport.output().write(answer, 0, answer.length);
      transport.close();
    }
  }

  @Test
  void lastAnswerArrivesAlthoughInputIsLeftUnread() throws Exception {
    byte[] answer = random(300_000, 3);
    try (LoopRig rig = new LoopRig(socket -> new LastAnswer(socket, answer));
        Socket client = rig.connect()) {
      OutputStream out = client.getOutputStream();
      out.write(new byte[200_000]);
      assertArrayEquals(answer, client.getInputStream().readAllBytes());
    }
  }

  @Test
  void slowPeerGetsAllOfTheLastAnswer() throws Exception {
    byte[] answer = random(8 * 1024 * 1024, 5);
    try (LoopRig rig = new LoopRig(socket -> remember(new LastAnswer(socket, answer)));
        Socket client = rig.connect()) {
      client.getOutputStream().write(1);
      EventLoop loop = rig.loops.get(0);
      SocketHandler handler = (SocketHandler) next().transport;
      DataInputStream in = new DataInputStream(client.getInputStream());
      byte[] read = new byte[answer.length];
      int done = 0;
      // Each time the peer has taken some, and the time that it may take nothing has passed.
      long nowNanos = onLoop(loop, loop::nowNanos);
      while (onLoop(loop, handler::queuedBytes) > 0) {
        long before = onLoop(loop, handler::queuedBytes);
        while (before > 0 && onLoop(loop, handler::queuedBytes) == before) {
          int length = Math.min(1024, read.length - done);
          in.readFully(read, done, length);
          done += length;
        }
        nowNanos += Farewell.STALL_NANOS / 100;
        long later = nowNanos + Farewell.STALL_NANOS;
        onLoop(
            loop,
            () -> {
              if (handler.queuedBytes() > 0) {
                handler.expire(later);
              }
              return handler.isClosed();
            });
      }
      in.readFully(read, done, read.length - done);
      assertArrayEquals(answer, read);
      assertEquals(-1, in.read());
    }
  }

  private static <T> T onLoop(EventLoop loop, Callable<T> task) throws Exception {
    FutureTask<T> future = new FutureTask<>(task);
    loop.execute(future);
    return future.get(LoopRig.TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Test
  void faultOfAnEngineClosesItsConnectionAndTheLoopGoesOn() throws Exception {
    try (LoopRig rig =
            new LoopRig(
                socket ->
                    remember(
                        new FakeConnection(socket) {
                          @Override
                          public void receive(byte[] b, int offset, int length, long nowNanos) {
                            transport.output().write(b, offset, length);
                            if (b[offset] == 'x') {
                              throw new OutOfMemoryError("as a test");
                            }
                          }
                        }));
        Socket bad = rig.connect();
        Socket good = rig.connect()) {
      bad.getOutputStream().write('x');
      assertEquals(-1, bad.getInputStream().read());
      assertTrue(next().awaitClosed());
      good.getOutputStream().write('y');
      assertEquals('y', good.getInputStream().read());
    }
  }

  @Test
  void limitOfTimeReachesTheEngine() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (LoopRig rig =
            new LoopRig(
                socket ->
                    new FakeConnection(socket) {
                      private long closeNanos;

                      @Override
                      public long expire(long nowNanos) {
                        asked.incrementAndGet();
                        if (closeNanos == 0) {
                          closeNanos = nowNanos + 50_000_000;
                        } else if (closeNanos - nowNanos <= 0) {
                          transport.output().write('!');
                          transport.close();
                          return Long.MAX_VALUE;
                        }
                        return closeNanos;
                      }
                    });
        Socket client = rig.connect()) {
      assertArrayEquals(bytes("!"), client.getInputStream().readAllBytes());
      assertTrue(asked.get() >= 2);
    }
  }

  @Test
  void idleConnectionOwnsNoBuffer() throws Exception {
    try (LoopRig rig = new LoopRig(this::echo);
        Socket client = rig.connect()) {
      client.getOutputStream().write(random(100, 4));
      read(client, 100);
      FakeConnection connection = next();
      CompletableFuture<Long> queued = new CompletableFuture<>();
      rig.loops.get(0).execute(() -> queued.complete(connection.transport.queuedBytes()));
      assertEquals(0, queued.get());
      assertFalse(connection.closed.getCount() == 0);
    }
  }
}
