package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.ConnectionEnd;
import dev.peregrine.rpc.ConnectionStart;
import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.LimitReached;
import dev.peregrine.rpc.ServerObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What observers are told of connections and of limits, over real sockets. */
@Timeout(30)
class ConnectionObserverTest {

  private static final byte[] REQUEST =
      "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final class Recorder implements ServerObserver {
    final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

    @Override
    public void connectionOpened(ConnectionStart start) {
      events.add(start);
    }

    @Override
    public void connectionClosed(ConnectionEnd end) {
      events.add(end);
    }

    @Override
    public void limitReached(LimitReached event) {
      events.add(event);
    }

    <T> T next(Class<T> type) throws InterruptedException {
      return type.cast(events.poll(20, TimeUnit.SECONDS));
    }
  }

  /** One whose every method fails, which nobody else may feel. */
  private static final class Failing implements ServerObserver {
    @Override
    public void connectionOpened(ConnectionStart start) {
      throw new IllegalStateException("opened");
    }

    @Override
    public void connectionClosed(ConnectionEnd end) {
      throw new AssertionError("closed");
    }

    @Override
    public void limitReached(LimitReached event) {
      throw new IllegalStateException("limit");
    }
  }

  private static Socket connect(Server server) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), server.port());
  }

  private static ServerBuilder builder(Recorder recorder) {
    return Server.builder()
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .observe(new Failing())
        .observe(recorder)
        .onTerm(false);
  }

  @Test
  void hearOfEachConnectionOnceAtItsBeginningAndOnceAtItsEnd() throws Exception {
    Recorder recorder = new Recorder();
    try (LogCapture log = new LogCapture();
        Server server = builder(recorder).start()) {
      int answered;
      ConnectionStart start;
      int clientPort;
      try (Socket socket = connect(server)) {
        clientPort = socket.getLocalPort();
        start = recorder.next(ConnectionStart.class);
        socket.getOutputStream().write(REQUEST);
        answered = socket.getInputStream().readAllBytes().length;
      }
      ConnectionEnd end = recorder.next(ConnectionEnd.class);
      assertEquals(clientPort, ((InetSocketAddress) start.peer()).getPort());
      assertEquals(start.peer(), end.peer());
      assertEquals(server.port(), ((InetSocketAddress) end.local()).getPort());
      assertEquals(REQUEST.length, end.receivedBytes());
      assertEquals(answered, end.sentBytes());
      assertTrue(end.durationNanos() > 0);
      assertNotNull(end.reason());
      assertNull(end.tlsSession());
      assertTrue(log.texts().contains("an observer failed"));
    }
    assertTrue(recorder.events.isEmpty());
  }

  @Test
  void hearOfConnectionsBeyondTheLimitEveryTimeWhileTheLogNamesThemOnce() throws Exception {
    Recorder recorder = new Recorder();
    try (LogCapture log = new LogCapture();
        Server server =
            builder(recorder)
                .connectionLimits(ConnectionLimits.DEFAULTS.withMaxConnections(1))
                .start();
        Socket first = connect(server)) {
      recorder.next(ConnectionStart.class);
      for (int i = 0; i < 3; i++) {
        try (Socket second = connect(server)) {
          LimitReached event = recorder.next(LimitReached.class);
          assertEquals(Limit.CONNECTIONS, event.limit());
          assertEquals(second.getLocalPort(), ((InetSocketAddress) event.peer()).getPort());
          assertTrue(event.reason().contains("maxConnections"), event.reason());
          assertEquals(-1, second.getInputStream().read());
        }
      }
      assertTrue(first.isConnected());
      assertEquals(
          1, log.texts().stream().filter(text -> text.startsWith("limit CONNECTIONS ")).count());
    }
  }
}
