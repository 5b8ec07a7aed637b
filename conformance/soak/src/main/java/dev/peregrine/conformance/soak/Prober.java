package dev.peregrine.conformance.soak;

import dev.peregrine.wire.Headers;
import java.io.IOException;
import java.util.Arrays;

/** One unary call after the other on one connection, each timed. One thread. */
final class Prober implements ClientConnection.Listener, AutoCloseable {

  private static final int MESSAGE_BYTES = 100;

  private final ClientConnection connection;
  private final byte[] block;
  private final byte[] message = Requests.message(Payload.of(1, MESSAGE_BYTES));
  private int streamId = -1;
  private boolean answered;

  Prober(int port, Variant variant) throws IOException {
    connection = new ClientConnection(port, Integer.MAX_VALUE, 0);
    block = Requests.block(variant.path(Variant.UNARY), null);
  }

  /**
   * Calls for so long.
   *
   * @return how long each call took, sorted
   */
  long[] latenciesNanos(long nanos) throws IOException {
    long[] latencies = new long[1024];
    int count = 0;
    long start = System.nanoTime();
    long now = start;
    while (now - start < nanos) {
      call();
      long after = System.nanoTime();
      if (count == latencies.length) {
        latencies = Arrays.copyOf(latencies, count * 2);
      }
      latencies[count++] = after - now;
      now = after;
    }
    latencies = Arrays.copyOf(latencies, count);
    Arrays.sort(latencies);
    return latencies;
  }

  private void call() throws IOException {
    streamId += 2;
    answered = false;
    connection.headers(streamId, block, false);
    connection.data(streamId, message, 0, message.length, true);
    connection.flush();
    while (!answered) {
      connection.read(this);
    }
  }

  @Override
  public void onHeaders(int id, Headers fields, boolean end) {
    answered |= end;
    if (end && !"0".equals(fields.get("grpc-status"))) {
      throw new IllegalStateException("a call failed: " + fields);
    }
  }

  @Override
  public void onData(int id, byte[] bytes, int offset, int length, boolean end) {}

  @Override
  public void onReset(int id, int code) {
    throw new IllegalStateException("a call was reset: " + code);
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
