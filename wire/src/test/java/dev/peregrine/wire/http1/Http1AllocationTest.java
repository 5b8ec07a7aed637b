package dev.peregrine.wire.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.FakeTransport;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpHandler;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.StreamListener;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a repeated request and an idle connection cost in memory. */
class Http1AllocationTest {

  /** DESIGN: the engine allocates the exchange alone. */
  private static final int MAX_BYTES_PER_REQUEST = 96;

  private static final int MAX_BYTES_PER_IDLE_CONNECTION = 2048;

  private static final int PIPELINED = 100;
  private static final int WARM_UP = 1_000;
  private static final int BURSTS = 1_000;
  private static final int CONNECTIONS = 200;

  private static final byte[] BODY = "Hello, World!".getBytes(StandardCharsets.US_ASCII);
  private static final ResponseHead HEAD =
      ResponseHead.of(
          200, new Headers().add("content-type", "text/plain").add("content-length", "13"));
  private static final byte[] DATE =
      "date: Thu, 01 Jan 1970 00:00:00 GMT\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final StreamListener LISTENER =
      new StreamListener() {
        @Override
        public void onData(byte[] bytes, int offset, int length, boolean end) {}

        @Override
        public void onTrailers(Headers trailers) {}

        @Override
        public void onReset(ErrorCode code) {
          throw new AssertionError(code);
        }

        @Override
        public void onWritable() {}
      };

  private final FakeTransport transport = new FakeTransport();
  private Headers first;
  private int answered;

  private static long allocatedBytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  private StreamListener answer(HttpStream stream, Headers headers) {
    if (first == null) {
      first = headers;
    }
    assertSame(first, headers);
    stream.head(HEAD, null, false);
    stream.data(BODY, 0, BODY.length, true);
    answered++;
    return LISTENER;
  }

  @Test
  void pipelinedRequestsAllocateTheirExchangesAloneAndAreAnsweredInOneWrite() {
    HttpHandler handler = (stream, headers, end) -> answer(stream, headers);
    Http1Connection connection =
        new Http1Connection(transport, handler, Http1Limits.STANDARD, () -> DATE, 0);
    String get = "GET / HTTP/1.1\r\nHost: localhost:8080\r\nUser-Agent: h2load\r\n\r\n";
    byte[] burst = get.repeat(PIPELINED).getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < WARM_UP; i++) {
      connection.receive(burst, 0, burst.length, 0);
      transport.output().clear();
    }
    long before = allocatedBytes();
    for (int i = 0; i < BURSTS; i++) {
      connection.receive(burst, 0, burst.length, 0);
      transport.output().clear();
    }
    long perRequest = (allocatedBytes() - before) / (BURSTS * PIPELINED);
    assertEquals((WARM_UP + BURSTS) * PIPELINED, answered);
    assertTrue(perRequest <= MAX_BYTES_PER_REQUEST, perRequest + " bytes per request");
    assertEquals(0, transport.total(), "responses of a burst leave at its end, in one write");
  }

  @Test
  void idleConnectionIsSmall() {
    byte[] get =
        "GET / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    Http1Connection[] kept = new Http1Connection[CONNECTIONS];
    open(get);
    long before = allocatedBytes();
    for (int i = 0; i < CONNECTIONS; i++) {
      kept[i] = open(get);
    }
    long each = (allocatedBytes() - before) / CONNECTIONS;
    assertEquals(0, kept[CONNECTIONS - 1].openStreams());
    assertTrue(each <= MAX_BYTES_PER_IDLE_CONNECTION, each + " bytes per connection");
  }

  private Http1Connection open(byte[] get) {
    Http1Connection connection =
        new Http1Connection(
            transport,
            (stream, headers, end) -> {
              stream.head(HEAD, null, false);
              stream.data(BODY, 0, BODY.length, true);
              return LISTENER;
            },
            Http1Limits.STANDARD,
            null,
            0);
    connection.receive(get, 0, get.length, 0);
    transport.output().clear();
    return connection;
  }
}
