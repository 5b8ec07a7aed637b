package dev.peregrine.conformance.soak;

import dev.peregrine.wire.Headers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Calls that are cancelled at random points: before their header section ends, inside a message,
 * while the handler runs, while it streams, after the end; by RST_STREAM with any code, by a
 * deadline, or because the connection is gone. One thread, one connection at a time.
 *
 * <p>A connection ends before the server's guard against rapid resets would cut it: 400 at once and
 * 200 a second are its limits, which stay as they are.
 */
final class Cancelled implements ClientConnection.Listener {

  private static final int MAX_CALLS_AT_ONCE = 40;
  private static final int MAX_RESETS_PER_CONNECTION = 350 - MAX_CALLS_AT_ONCE;
  private static final int DROP_PERCENT = 4;
  private static final int MAX_PAUSE_NANOS = 3_000_000;

  private static final String[] METHODS = {
    Variant.UNARY, Variant.DOWNLOAD, Variant.UPLOAD, Variant.CHAT, Variant.PARK,
  };

  /** Most have none; an hour leaves a timer, 3 ms may end the call first. */
  private static final String[] TIMEOUTS = {null, null, null, null, "1H", "3m"};

  /** RFC 9113, 7: NO_ERROR to HTTP_1_1_REQUIRED, and one that nobody knows. */
  private static final int[] CODES = {0, 1, 2, 3, 5, 7, 8, 11, 12, 13, 0xdead};

  private static final byte[] MARKER = {1};

  private final int port;
  private final SplittableRandom random;
  private final List<Variant> variants = Variant.all();
  private final Map<String, byte[]> blocks = new HashMap<>();
  private final Map<Integer, Boolean> endedById = new LinkedHashMap<>();
  private ClientConnection connection;
  private int nextStreamId;
  private int markerId;
  private int resets;
  private long cancelled;
  private long endedBefore;
  private long connections;
  private long cut;
  private String firstCut;

  Cancelled(int port, long seed) throws IOException {
    this.port = port;
    this.random = new SplittableRandom(seed);
    connect();
  }

  private void connect() throws IOException {
    connection = new ClientConnection(port, 65_535, 0);
    nextStreamId = 1;
    resets = 0;
    connections++;
  }

  /** Cancels so many calls. */
  void run(long calls) throws IOException {
    while (cancelled < calls) {
      try {
        round();
      } catch (IOException e) {
        cut++;
        firstCut = firstCut == null ? e.toString() : firstCut;
        connection.close();
        connect();
      }
    }
    connection.close();
  }

  /** Calls that were not over, as far as this client knew, when it cancelled them. */
  long cancelled() {
    return cancelled;
  }

  /** Calls that were over before they could be cancelled. */
  long endedBefore() {
    return endedBefore;
  }

  long connections() {
    return connections;
  }

  /** Connections that the server has ended. */
  long cut() {
    return cut;
  }

  /** Why it has ended the first. */
  String firstCut() {
    return firstCut;
  }

  private void round() throws IOException {
    endedById.clear();
    int count = 1 + random.nextInt(MAX_CALLS_AT_ONCE);
    for (int i = 0; i < count; i++) {
      begin();
    }
    boolean drop = resets > MAX_RESETS_PER_CONNECTION || random.nextInt(100) < DROP_PERCENT;
    if (random.nextBoolean()) {
      catchUp();
      readSome();
    }
    if (drop) {
      drop();
    } else {
      resetAll();
      connection.flush();
      readSome();
    }
  }

  private void begin() {
    Variant variant = variants.get(random.nextInt(variants.size()));
    String method = METHODS[random.nextInt(METHODS.length)];
    int streamId = nextStreamId;
    nextStreamId += 2;
    endedById.put(streamId, false);
    byte[] block = block(variant.path(method), TIMEOUTS[random.nextInt(TIMEOUTS.length)]);
    byte[] message = Requests.message(content(method));
    switch (random.nextInt(6)) {
      case 0 -> connection.headers(streamId, block, random.nextBoolean());
      case 1 -> {
        connection.headers(streamId, block, false);
        connection.data(streamId, message, 0, random.nextInt(message.length), false);
      }
      default -> {
        connection.headers(streamId, block, false);
        boolean many = method.equals(Variant.UPLOAD) || method.equals(Variant.CHAT);
        for (int i = many ? random.nextInt(4) : 0; i > 0; i--) {
          connection.data(streamId, message, 0, message.length, false);
        }
        connection.data(streamId, message, 0, message.length, !many || random.nextBoolean());
      }
    }
  }

  private byte[] content(String method) {
    return method.equals(Variant.DOWNLOAD)
        ? new Payload.Download(
                1 + random.nextInt(random.nextBoolean() ? 5 : 1_000),
                random.nextInt(2_000),
                random.nextLong())
            .request()
        : Payload.of(random.nextLong(), random.nextInt(1_000));
  }

  private byte[] block(String path, String timeout) {
    return blocks.computeIfAbsent(path + " " + timeout, key -> Requests.block(path, timeout));
  }

  /** Makes one more call, and waits for its answer: then the server has seen the others, too. */
  private void catchUp() throws IOException {
    markerId = nextStreamId;
    nextStreamId += 2;
    byte[] message = Requests.message(MARKER);
    connection.headers(markerId, block(variants.get(0).path(Variant.UNARY), null), false);
    connection.data(markerId, message, 0, message.length, true);
    connection.flush();
    while (markerId > 0) {
      connection.read(this);
      connection.flush();
    }
  }

  private void readSome() throws IOException {
    for (int i = random.nextInt(3); i > 0; i--) {
      LockSupport.parkNanos(random.nextInt(MAX_PAUSE_NANOS));
      while (connection.available()) {
        connection.read(this);
      }
    }
  }

  private void resetAll() {
    for (Map.Entry<Integer, Boolean> call : endedById.entrySet()) {
      boolean ended = call.getValue();
      if (ended) {
        endedBefore++;
      } else {
        cancelled++;
      }
      // Also, now and then, of a stream that is over: both sides may end it at once.
      if (!ended || random.nextInt(10) == 0) {
        resets++;
        connection.reset(call.getKey(), CODES[random.nextInt(CODES.length)]);
      }
    }
  }

  private void drop() throws IOException {
    for (boolean ended : endedById.values()) {
      if (ended) {
        endedBefore++;
      } else {
        cancelled++;
      }
    }
    connection.flush();
    if (random.nextInt(3) == 0) {
      connection.halfHeaders(nextStreamId, block(variants.get(0).path(Variant.UNARY), null));
      connection.flush();
      cancelled++;
    }
    if (random.nextBoolean()) {
      connection.abort();
    } else {
      connection.close();
    }
    connect();
  }

  @Override
  public void onHeaders(int streamId, Headers fields, boolean end) {
    if (end) {
      ended(streamId);
    }
  }

  @Override
  public void onData(int streamId, byte[] bytes, int offset, int length, boolean end) {
    if (end) {
      ended(streamId);
    }
  }

  @Override
  public void onReset(int streamId, int code) {
    ended(streamId);
  }

  private void ended(int streamId) {
    endedById.replace(streamId, true);
    if (streamId == markerId) {
      markerId = 0;
    }
  }

  /** What several of these have done together. */
  static String summary(List<Cancelled> clients) {
    List<Long> sums = new ArrayList<>(List.of(0L, 0L, 0L));
    for (Cancelled client : clients) {
      sums.set(0, sums.get(0) + client.cancelled);
      sums.set(1, sums.get(1) + client.endedBefore);
      sums.set(2, sums.get(2) + client.connections);
    }
    return sums.get(0)
        + " cancelled, "
        + sums.get(1)
        + " over before, "
        + sums.get(2)
        + " connections";
  }
}
