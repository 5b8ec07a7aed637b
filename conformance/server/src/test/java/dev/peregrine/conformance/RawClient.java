package dev.peregrine.conformance;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.peregrine.conformance.v1.EchoRequest;
import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.hpack.HpackDecoder;
import dev.peregrine.wire.hpack.HpackException;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * An HTTP/2 client over a real socket that writes exactly the frames named, right or wrong, and
 * reads frames. It never answers anything by itself, except SETTINGS. Single-threaded.
 */
final class RawClient implements AutoCloseable {

  static final String ECHO = "/peregrine.conformance.v1.Probe/Echo";
  static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);

  /** RFC 9113, 6.5.2. */
  static final int SETTING_HEADER_TABLE = 1;

  static final int SETTING_CONCURRENT_STREAMS = 3;
  static final int SETTING_INITIAL_WINDOW = 4;

  /** More than any test reads. */
  private static final int LARGE_WINDOW_BYTES = 1 << 30;

  /** No frame may be larger, unless the server has allowed it. */
  private static final int FRAME_BYTES = 16_384;

  /** No answer within this time is a failed test. Long, as a busy machine is no failure. */
  private static final int READ_TIMEOUT_MILLIS = 20_000;

  private static final int LIST_LIMIT_BYTES = 1 << 20;

  private final Socket socket;
  private final DataInputStream in;
  private final HpackDecoder decoder = new HpackDecoder(4096, LIST_LIMIT_BYTES, LIST_LIMIT_BYTES);
  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
  private final Map<Integer, Reply> replies = new HashMap<>();
  private final ByteArrayOutputStream block = new ByteArrayOutputStream();
  private int nextStream = 1;
  private final Map<Integer, Integer> streamCredit = new HashMap<>();
  private int initialStreamWindow = 65_535;
  private int connectionWindow = 65_535;
  private final Map<Integer, Integer> settings = new HashMap<>();
  private long pings;
  private Frame goaway;

  private RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(READ_TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
  }

  /** Opens a connection and exchanges settings. */
  static RawClient connect(int port) throws IOException {
    return connect(port, new byte[0]);
  }

  /** Opens a connection and exchanges settings, with entries of our own. */
  static RawClient connect(int port, byte[] settings) throws IOException {
    RawClient client = silent(port);
    client.raw(PREFACE).frame(Frame.SETTINGS, 0, 0, settings).send();
    boolean acknowledged = false;
    boolean announced = false;
    while (!acknowledged || !announced) {
      Frame frame = client.read();
      acknowledged |= frame.is(Frame.SETTINGS) && frame.has(Frame.ACK);
      announced |= frame.is(Frame.SETTINGS) && !frame.has(Frame.ACK);
    }
    return client;
  }

  /** Opens a connection and sends nothing. */
  static RawClient silent(int port) throws IOException {
    return new RawClient(port);
  }

  /** A SETTINGS entry. */
  static byte[] setting(int id, int value) {
    return ByteBuffer.allocate(6).putShort((short) id).putInt(value).array();
  }

  /** A message with its 5-byte prefix. */
  static byte[] message(MessageLite message) {
    byte[] encoded = message.toByteArray();
    return ByteBuffer.allocate(5 + encoded.length)
        .put((byte) 0)
        .putInt(encoded.length)
        .put(encoded)
        .array();
  }

  /** The id of a stream that was not used yet. */
  int newStream() {
    int stream = nextStream;
    nextStream += 2;
    return stream;
  }

  /** Queues bytes; {@link #send} writes them. */
  RawClient raw(byte... bytes) {
    pending.writeBytes(bytes);
    return this;
  }

  RawClient frame(int type, int flags, int stream, byte... payload) {
    return raw(new Frame(type, flags, stream, payload).bytes());
  }

  RawClient headers(int stream, FieldBlock fields, boolean end) {
    int flags = Frame.END_HEADERS | (end ? Frame.END_STREAM : 0);
    return frame(Frame.HEADERS, flags, stream, fields.encode());
  }

  /** DATA, whether the server's windows allow it or not. */
  RawClient data(int stream, byte[] payload, boolean end) {
    connectionWindow -= payload.length;
    streamCredit.merge(stream, -payload.length, Integer::sum);
    return frame(Frame.DATA, end ? Frame.END_STREAM : 0, stream, payload);
  }

  RawClient windowUpdate(int stream, int increment) {
    return frame(Frame.WINDOW_UPDATE, 0, stream, ByteBuffer.allocate(4).putInt(increment).array());
  }

  RawClient reset(int stream, int code) {
    return frame(Frame.RST_STREAM, 0, stream, ByteBuffer.allocate(4).putInt(code).array());
  }

  /** Lets the server send as much as it likes. */
  RawClient openWindows() {
    return frame(Frame.SETTINGS, 0, 0, setting(SETTING_INITIAL_WINDOW, LARGE_WINDOW_BYTES))
        .windowUpdate(0, LARGE_WINDOW_BYTES);
  }

  /** Sends content as the server's windows allow, reading meanwhile. */
  void upload(int stream, byte[] content, boolean end) throws IOException {
    int sent = 0;
    while (sent < content.length) {
      int room = Math.min(connectionWindow, streamWindow(stream));
      if (room == 0) {
        assertTrue(read() != null, () -> "closed during an upload: " + goaway);
        continue;
      }
      int length = Math.min(Math.min(room, FRAME_BYTES), content.length - sent);
      byte[] piece = Arrays.copyOfRange(content, sent, sent + length);
      sent += length;
      data(stream, piece, end && sent == content.length).send();
    }
  }

  private int streamWindow(int stream) {
    return initialStreamWindow + streamCredit.getOrDefault(stream, 0);
  }

  /** What the server has announced, or {@code null}. */
  Integer setting(int id) {
    return settings.get(id);
  }

  /** How much the server takes on all streams together, now. */
  int connectionWindow() {
    return connectionWindow;
  }

  /** Writes everything queued. */
  RawClient send() throws IOException {
    byte[] bytes = pending.toByteArray();
    pending.reset();
    socket.getOutputStream().write(bytes);
    return this;
  }

  /**
   * The next frame, or {@code null} when the server has closed the connection. It is also noted for
   * {@link #reply} and {@link #goaway}. SETTINGS are acknowledged.
   */
  Frame read() throws IOException {
    int lengthAndType;
    try {
      lengthAndType = in.readInt();
    } catch (EOFException | SocketException e) {
      return null;
    }
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    byte[] payload = new byte[lengthAndType >>> 8];
    in.readFully(payload);
    Frame frame = new Frame(lengthAndType & 0xff, flags, stream, payload);
    note(frame);
    return frame;
  }

  private void note(Frame frame) throws IOException {
    if (frame.is(Frame.WINDOW_UPDATE)) {
      noteCredit(frame);
    } else if (frame.is(Frame.SETTINGS) && !frame.has(Frame.ACK)) {
      noteSettings(frame);
      byte[] ack = new Frame(Frame.SETTINGS, Frame.ACK, 0, new byte[0]).bytes();
      socket.getOutputStream().write(ack);
    } else if (frame.is(Frame.GOAWAY)) {
      goaway = frame;
    } else if (frame.stream() != 0) {
      noted(frame.stream()).add(frame, section(frame));
    }
  }

  private void noteCredit(Frame frame) {
    if (frame.stream() == 0) {
      connectionWindow += frame.int32(0);
    } else {
      streamCredit.merge(frame.stream(), frame.int32(0), Integer::sum);
    }
  }

  private void noteSettings(Frame frame) {
    for (int at = 0; at < frame.payload().length; at += 6) {
      int id = frame.int32(at) >>> 16;
      int value = ByteBuffer.wrap(frame.payload()).getInt(at + 2);
      settings.put(id, value);
    }
    initialStreamWindow = settings.getOrDefault(SETTING_INITIAL_WINDOW, initialStreamWindow);
  }

  private Reply noted(int stream) {
    return replies.computeIfAbsent(stream, id -> new Reply());
  }

  private Headers section(Frame frame) {
    if (!frame.is(Frame.HEADERS) && !frame.is(Frame.CONTINUATION)) {
      return null;
    }
    block.writeBytes(frame.content());
    if (!frame.has(Frame.END_HEADERS)) {
      return null;
    }
    byte[] bytes = block.toByteArray();
    block.reset();
    try {
      return decoder.decode(bytes, 0, bytes.length);
    } catch (HpackException e) {
      throw new AssertionError("the server's field block does not decode", e);
    }
  }

  /** Reads until a stream has ended, and returns all that came on it. */
  Reply reply(int stream) throws IOException {
    Reply reply = noted(stream);
    while (!reply.ended()) {
      if (read() == null) {
        throw new AssertionError("closed; stream " + stream + ": " + reply + ", " + goaway);
      }
    }
    return reply;
  }

  /** What has come on a stream so far. */
  Reply replySoFar(int stream) {
    return noted(stream);
  }

  /** Drops what has come on a stream. */
  void forget(int stream) {
    replies.remove(stream);
  }

  /** Ends the connection by a TCP reset. */
  void abort() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  /** Makes a call with a body in one DATA frame, and returns what came back. */
  Reply call(FieldBlock fields, byte[] body) throws IOException {
    int stream = newStream();
    headers(stream, fields, false).data(stream, body, true).send();
    return reply(stream);
  }

  /** Waits until the server has taken everything sent so far: PING and its answer. */
  void sync() throws IOException {
    byte[] opaque = ByteBuffer.allocate(8).putLong(++pings).array();
    frame(Frame.PING, 0, 0, opaque).send();
    Frame frame;
    do {
      frame = read();
      assertTrue(frame != null, () -> "closed before the PING was answered: " + goaway);
    } while (!frame.is(Frame.PING) || !Arrays.equals(frame.payload(), opaque));
  }

  /** The second, healthy call: after a fault of one stream the connection still works. */
  void expectSecondCall() throws IOException {
    EchoRequest request =
        EchoRequest.newBuilder().setPayload(ByteString.copyFromUtf8("second call")).build();
    Reply reply = call(FieldBlock.call(ECHO), message(request));
    assertEquals("HEADERS DATA HEADERS+ES", reply.frames(), reply::toString);
    assertEquals(0, reply.status());
    assertArrayEquals(message(request), reply.data());
  }

  /** The server must end the connection, and say why in GOAWAY. */
  void expectConnectionError(ErrorCode code) throws IOException {
    while (read() != null) {
      // RFC 9113, 5.4.1: GOAWAY comes first, whatever else was under way may come too.
    }
    assertTrue(goaway != null, "closed without GOAWAY");
    assertEquals(code, ErrorCode.of(goaway.int32(4)), this::goawayText);
  }

  /** The server must reset the stream with the code, and go on. */
  void expectStreamError(int stream, ErrorCode code) throws IOException {
    Reply reply = reply(stream);
    assertEquals(code.code(), reply.resetCode(), reply::toString);
    expectSecondCall();
  }

  /** The last GOAWAY, or {@code null}. */
  Frame goaway() {
    return goaway;
  }

  /** The debug data of the last GOAWAY (RFC 9113, 6.8). */
  String goawayText() {
    byte[] payload = goaway.payload();
    return new String(payload, 8, payload.length - 8, UTF_8);
  }

  /** Reads raw bytes until the server closes, for what is not HTTP/2. */
  String readText() throws IOException {
    try {
      return new String(in.readAllBytes(), UTF_8);
    } catch (SocketException e) {
      return "";
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
