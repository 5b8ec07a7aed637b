package dev.peregrine.wire.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.FakeTransport;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.StreamListener;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** What a call and an idle connection cost in memory. */
class Http2AllocationTest {

  /** DESIGN: the engine allocates the stream alone. */
  private static final int MAX_BYTES_PER_CALL = 120;

  private static final int MAX_BYTES_PER_IDLE_CONNECTION = 2048;

  private static final int WARM_UP = 20_000;
  private static final int CALLS = 10_000;
  private static final int CONNECTIONS = 200;

  private final FakeTransport transport = new FakeTransport();
  private int answered;

  private static long allocatedBytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  @Test
  void callAllocatesItsStreamAlone() {
    Listener listener = new Listener();
    Http2Connection connection =
        new Http2Connection(
            transport,
            (stream, headers, end) -> {
              listener.stream = stream;
              return listener;
            },
            Http2Limits.STANDARD,
            0);
    byte[] opening =
        new TraceFrames().bytes("preface; SETTINGS; SETTINGS ack; WINDOW_UPDATE 0 2000000000");
    connection.receive(opening, 0, opening.length, 0);
    TraceFrames peer = new TraceFrames();
    byte[] first = peer.bytes("CALL 1 /echo.Echo/Unary; DATA 1 end hello");
    byte[] call = peer.bytes("CALL 3 /echo.Echo/Unary; DATA 3 end hello");
    connection.receive(first, 0, first.length, 0);
    int dataAt = Frame.HEADER_BYTES + Octets.int24(call, 0);
    int id = 3;
    for (int i = 0; i < WARM_UP; i++, id += 2) {
      call(connection, call, dataAt, id);
    }
    long before = allocatedBytes();
    for (int i = 0; i < CALLS; i++, id += 2) {
      call(connection, call, dataAt, id);
    }
    long perCall = (allocatedBytes() - before) / CALLS;
    assertEquals(1 + WARM_UP + CALLS, answered);
    assertTrue(perCall <= MAX_BYTES_PER_CALL, perCall + " bytes per call");
  }

  private void call(Http2Connection connection, byte[] call, int dataAt, int id) {
    Octets.putInt32(call, 5, id);
    Octets.putInt32(call, dataAt + 5, id);
    connection.receive(call, 0, call.length, 0);
    transport.output().clear();
  }

  @Test
  void idleConnectionIsSmall() {
    byte[] opening = new TraceFrames().bytes("preface; SETTINGS; SETTINGS ack");
    FakeHandler handler = new FakeHandler();
    Http2Connection[] kept = new Http2Connection[CONNECTIONS];
    open(handler, opening);
    long before = allocatedBytes();
    for (int i = 0; i < CONNECTIONS; i++) {
      kept[i] = open(handler, opening);
    }
    long each = (allocatedBytes() - before) / CONNECTIONS;
    assertEquals(0, kept[CONNECTIONS - 1].openStreams());
    assertTrue(each <= MAX_BYTES_PER_IDLE_CONNECTION, each + " bytes per connection");
  }

  private Http2Connection open(FakeHandler handler, byte[] opening) {
    Http2Connection connection = new Http2Connection(transport, handler, Http2Limits.STANDARD, 0);
    connection.receive(opening, 0, opening.length, 0);
    transport.output().clear();
    return connection;
  }

  /** Answers without allocating. */
  private final class Listener implements StreamListener {

    private HttpStream stream;

    @Override
    public void onData(byte[] bytes, int offset, int length, boolean end) {
      stream.credit(length);
      stream.head(FakeHandler.HEAD, null, false);
      int at = stream.claim(length);
      System.arraycopy(bytes, offset, stream.transport().output().array(), at, length);
      stream.trailers(FakeHandler.OK, null);
      answered++;
    }

    @Override
    public void onTrailers(Headers trailers) {}

    @Override
    public void onReset(ErrorCode code) {
      throw new AssertionError(code);
    }

    @Override
    public void onWritable() {}
  }
}
