package dev.peregrine.conformance.soak;

import dev.peregrine.wire.Headers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/**
 * Calls of all kinds over all variants, each answer compared byte by byte. One thread, one
 * connection.
 */
final class Mixed implements ClientConnection.Listener {

  private static final int MAX_CALLS_AT_ONCE = 32;

  /** Below what the server takes while nobody reads its answers, or both would wait for ever. */
  private static final int MAX_BYTES_AT_ONCE = 128 * 1024;

  private static final int MAX_MESSAGES = 5;

  /** A call under way. */
  private static final class Pending {
    private final String what;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private byte[] expected;
    private String status;

    Pending(String what) {
      this.what = what;
    }
  }

  private final ClientConnection connection;
  private final SplittableRandom random;
  private final List<Variant> variants = Variant.all();
  private final Map<String, byte[]> blocks = new HashMap<>();
  private final Map<Integer, Pending> pending = new HashMap<>();
  private final String[] kinds = {
    Variant.UNARY, Variant.DOWNLOAD, Variant.UPLOAD, Variant.CHAT,
  };
  private int nextStreamId = 1;
  private long right;
  private long wrong;
  private String firstFault;

  Mixed(int port, long seed) throws IOException {
    connection = new ClientConnection(port, Integer.MAX_VALUE, 0);
    connection.grant(Integer.MAX_VALUE - 65_535);
    random = new SplittableRandom(seed);
  }

  /** Makes so many calls, some at a time. */
  void run(int calls) throws IOException {
    int left = calls;
    while (left > 0) {
      int count = Math.min(left, 1 + random.nextInt(MAX_CALLS_AT_ONCE));
      int begun = 0;
      while (begun < count && connection.unsentBytes() < MAX_BYTES_AT_ONCE) {
        begin();
        begun++;
      }
      connection.flush();
      while (!pending.isEmpty()) {
        connection.read(this);
      }
      left -= begun;
    }
    connection.flush();
    connection.close();
  }

  long right() {
    return right;
  }

  long wrong() {
    return wrong;
  }

  /** What was wrong first, or {@code null}. */
  String firstFault() {
    return firstFault;
  }

  private void begin() {
    Variant variant = variants.get(random.nextInt(variants.size()));
    String kind = kinds[random.nextInt(kinds.length)];
    String path = variant.path(kind);
    int streamId = nextStreamId;
    nextStreamId += 2;
    Pending call = new Pending(path);
    pending.put(streamId, call);
    connection.headers(
        streamId, blocks.computeIfAbsent(path, key -> Requests.block(key, null)), false);
    switch (kind) {
      case Variant.DOWNLOAD -> download(call, streamId);
      case Variant.UPLOAD -> upload(call, streamId);
      case Variant.CHAT -> chat(call, streamId, 1 + random.nextInt(MAX_MESSAGES));
      default -> chat(call, streamId, 1);
    }
  }

  private byte[] payload() {
    int dice = random.nextInt(100);
    int size;
    if (dice < 70) {
      size = random.nextInt(200);
    } else if (dice < 97) {
      size = 200 + random.nextInt(2_000);
    } else {
      size = 2_000 + random.nextInt(40_000);
    }
    return Payload.of(random.nextLong(), size);
  }

  private void download(Pending call, int streamId) {
    Payload.Download download =
        new Payload.Download(
            random.nextInt(2 * MAX_MESSAGES), random.nextInt(2_000), random.nextLong());
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int i = 0; i < download.count(); i++) {
      expected.writeBytes(Requests.message(download.message(i)));
    }
    call.expected = expected.toByteArray();
    send(streamId, Requests.message(download.request()), true);
  }

  private void upload(Pending call, int streamId) {
    CRC32 checksum = new CRC32();
    int count = random.nextInt(MAX_MESSAGES);
    for (int i = 0; i < count; i++) {
      byte[] message = payload();
      checksum.update(message);
      send(streamId, Requests.message(message), false);
    }
    call.expected = Requests.message(Payload.sum(count, checksum));
    connection.data(streamId, new byte[0], 0, 0, true);
  }

  private void chat(Pending call, int streamId, int count) {
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      byte[] message = payload();
      expected.writeBytes(Requests.message(Payload.echo(message)));
      send(streamId, Requests.message(message), i == count - 1);
    }
    call.expected = expected.toByteArray();
  }

  /** Writes a message, often cut at any place. */
  private void send(int streamId, byte[] message, boolean end) {
    int cut = random.nextInt(4) == 0 ? random.nextInt(message.length) : 0;
    if (cut > 0) {
      connection.data(streamId, message, 0, cut, false);
    }
    connection.data(streamId, message, cut, message.length - cut, end);
  }

  @Override
  public void onHeaders(int streamId, Headers fields, boolean end) {
    Pending call = pending.get(streamId);
    if (end) {
      call.status = fields.get("grpc-status");
      ended(streamId, call);
    }
  }

  @Override
  public void onData(int streamId, byte[] bytes, int offset, int length, boolean end) {
    pending.get(streamId).content.write(bytes, offset, length);
  }

  @Override
  public void onReset(int streamId, int code) {
    Pending call = pending.get(streamId);
    // RFC 9113, 8.1: NO_ERROR after a whole response is no fault.
    if (call != null) {
      call.status = "RST_STREAM " + code;
      ended(streamId, call);
    }
  }

  private void ended(int streamId, Pending call) {
    pending.remove(streamId);
    boolean same = Arrays.equals(call.expected, call.content.toByteArray());
    if (same && "0".equals(call.status)) {
      right++;
      return;
    }
    wrong++;
    if (firstFault == null) {
      firstFault = call.what + ": status " + call.status + (same ? "" : ", wrong content");
    }
  }
}
