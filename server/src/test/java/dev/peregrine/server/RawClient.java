package dev.peregrine.server;

import dev.peregrine.wire.Headers;
import dev.peregrine.wire.hpack.HpackDecoder;
import dev.peregrine.wire.hpack.HpackException;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** A small HTTP/2 client over a blocking socket: writes exactly what it is told. */
final class RawClient implements AutoCloseable {

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int ACK = 1;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final int TIMEOUT_MILLIS = 20_000;

  /** One frame. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Frame(int type, int flags, int streamId, byte[] payload) {
    boolean has(int flag) {
      return (flags & flag) != 0;
    }
  }

  /** A response: its fields, then content, then trailer fields. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Response(Headers head, byte[] content, Headers trailers) {
    String status() {
      return head.get(":status");
    }

    String grpcStatus() {
      return trailers == null ? head.get("grpc-status") : trailers.get("grpc-status");
    }

    /** The content after a gRPC prefix. */
    String message() {
      return new String(content, 5, content.length - 5, StandardCharsets.UTF_8);
    }

    String text() {
      return new String(content, StandardCharsets.UTF_8);
    }
  }

  private static final class Partial {
    private Headers head;
    private Headers trailers;
    private boolean ended;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
  }

  final Socket socket;
  private final DataInputStream in;
  private final HpackDecoder decoder = new HpackDecoder(4096, 1 << 16, 1 << 16);
  private final Map<Integer, Partial> partials = new HashMap<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private boolean goAway;

  RawClient(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  RawClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    this.in = new DataInputStream(socket.getInputStream());
  }

  /** Preface and empty SETTINGS, not sent yet. */
  RawClient open() {
    out.writeBytes(PREFACE);
    return frame(SETTINGS, 0, 0, new byte[0]);
  }

  RawClient frame(int type, int flags, int streamId, byte[] payload) {
    out.writeBytes(
        ByteBuffer.allocate(9)
            .putInt(payload.length << 8 | type)
            .put((byte) flags)
            .putInt(streamId)
            .array());
    out.writeBytes(payload);
    return this;
  }

  RawClient flush() throws IOException {
    socket.getOutputStream().write(out.toByteArray());
    out.reset();
    return this;
  }

  /** A whole gRPC request with one message. */
  RawClient call(int streamId, String path, String message) {
    byte[] text = message.getBytes(StandardCharsets.UTF_8);
    ByteBuffer content = ByteBuffer.allocate(5 + text.length).put((byte) 0).putInt(text.length);
    head(streamId, "POST", path, "application/grpc", false);
    return frame(DATA, END_STREAM, streamId, content.put(text).array());
  }

  RawClient head(int streamId, String method, String path, String contentType, boolean end) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    field(block, ":method", method);
    field(block, ":scheme", "http");
    field(block, ":authority", "test");
    field(block, ":path", path);
    if (contentType != null) {
      field(block, "content-type", contentType);
    }
    field(block, "te", "trailers");
    return frame(HEADERS, END_HEADERS | (end ? END_STREAM : 0), streamId, block.toByteArray());
  }

  /** RFC 7541, 6.2.2: literal without indexing, new name, short strings. */
  private static void field(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    block.write(name.length());
    block.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
    block.write(value.length());
    block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  /** The next frame, or {@code null} at the end of the connection. */
  Frame read() throws IOException {
    int first = in.read();
    if (first < 0) {
      return null;
    }
    int length = first << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int streamId = in.readInt();
    byte[] payload = new byte[length];
    in.readFully(payload);
    return new Frame(type, flags, streamId, payload);
  }

  /** Reads until the response of a stream is complete; those of others are kept for later. */
  Response response(int streamId) throws IOException {
    Partial done = partials.get(streamId);
    if (done != null && done.ended) {
      return complete(streamId);
    }
    while (true) {
      Frame frame = read();
      if (frame == null) {
        throw new IOException("closed before the response on " + streamId + " was complete");
      }
      if (onFrame(frame) == streamId) {
        return complete(streamId);
      }
    }
  }

  private Response complete(int streamId) {
    Partial partial = partials.remove(streamId);
    return new Response(partial.head, partial.content.toByteArray(), partial.trailers);
  }

  /** The stream that ended with this frame, or −1. */
  int onFrame(Frame frame) throws IOException {
    if (frame.type == SETTINGS && !frame.has(ACK)) {
      frame(SETTINGS, ACK, 0, new byte[0]).flush();
    } else if (frame.type == PING && !frame.has(ACK)) {
      frame(PING, ACK, 0, frame.payload).flush();
    } else if (frame.type == GOAWAY) {
      goAway = true;
    } else if (frame.type == RST_STREAM && !partials.containsKey(frame.streamId)) {
      throw new IOException("stream " + frame.streamId + " was reset");
    } else if (frame.type == HEADERS || frame.type == DATA) {
      Partial partial = partials.computeIfAbsent(frame.streamId, id -> new Partial());
      if (frame.type == DATA) {
        partial.content.writeBytes(frame.payload);
      } else if (partial.head == null) {
        partial.head = decode(frame.payload);
      } else {
        partial.trailers = decode(frame.payload);
      }
      if (frame.has(END_STREAM)) {
        partial.ended = true;
        return frame.streamId;
      }
    }
    return -1;
  }

  private Headers decode(byte[] block) throws IOException {
    try {
      Headers decoded = decoder.decode(block, 0, block.length);
      Headers copy = new Headers();
      for (int i = 0; i < decoded.size(); i++) {
        copy.add(decoded.name(i), decoded.value(i));
      }
      return copy;
    } catch (HpackException e) {
      throw new IOException(e);
    }
  }

  /** Reads until the server closes, and says whether it had sent GOAWAY. */
  boolean closedAfterGoAway() throws IOException {
    Frame frame = read();
    while (frame != null) {
      onFrame(frame);
      frame = read();
    }
    return goAway;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
