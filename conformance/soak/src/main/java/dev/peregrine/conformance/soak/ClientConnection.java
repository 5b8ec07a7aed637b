package dev.peregrine.conformance.soak;

import dev.peregrine.wire.Headers;
import dev.peregrine.wire.hpack.HpackDecoder;
import dev.peregrine.wire.hpack.HpackException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The least HTTP/2 client: writes exactly what it is told, and tells what comes. One thread.
 *
 * <p>What it is told to write is kept until {@link #flush}. It acknowledges SETTINGS and PING, and
 * gives the connection's window back for all content, by {@link #flush} too.
 */
final class ClientConnection implements AutoCloseable {

  /** A call that is not answered for so long is lost. */
  private static final int TIMEOUT_MILLIS = 60_000;

  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int HPACK_TABLE_BYTES = 4096;
  private static final int MAX_FIELDS_BYTES = 64 * 1024;

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** Hears what the server sends. */
  interface Listener {
    /** A header or trailer section, lent. */
    void onHeaders(int streamId, Headers fields, boolean end);

    /** Content, lent. */
    void onData(int streamId, byte[] bytes, int offset, int length, boolean end);

    /** RST_STREAM. */
    void onReset(int streamId, int code);
  }

  private final Socket socket;
  private final InputStream in;
  private final HpackDecoder decoder =
      new HpackDecoder(HPACK_TABLE_BYTES, MAX_FIELDS_BYTES, MAX_FIELDS_BYTES);
  private byte[] input = new byte[BUFFER_BYTES];
  private int inputStart;
  private int inputEnd;
  private ByteBuffer output = ByteBuffer.allocate(BUFFER_BYTES);
  private int takenBytes;
  private String goAway;

  /**
   * Connects and says hello, but for {@link #flush}.
   *
   * @param windowBytes for each stream, 0 to 2^31 − 1
   * @param receiveBufferBytes of the socket; 0 for the system's choice
   */
  ClientConnection(int port, int windowBytes, int receiveBufferBytes) throws IOException {
    socket = new Socket();
    if (receiveBufferBytes > 0) {
      socket.setReceiveBufferSize(receiveBufferBytes);
    }
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    in = socket.getInputStream();
    room(PREFACE.length).put(PREFACE);
    frame(6, Frame.SETTINGS, 0, 0).putShort((short) Frame.INITIAL_WINDOW_SIZE).putInt(windowBytes);
  }

  /** Lets the server send so much more content on all streams together. */
  void grant(int bytes) {
    frame(4, Frame.WINDOW_UPDATE, 0, 0).putInt(bytes);
  }

  void headers(int streamId, byte[] block, boolean end) {
    frame(block.length, Frame.HEADERS, Frame.END_HEADERS | (end ? Frame.END_STREAM : 0), streamId)
        .put(block);
  }

  /** Half a header section: nothing may come next but the rest of it. */
  void halfHeaders(int streamId, byte[] block) {
    int half = block.length / 2;
    frame(half, Frame.HEADERS, 0, streamId).put(block, 0, half);
  }

  void data(int streamId, byte[] bytes, int offset, int length, boolean end) {
    int done = 0;
    do {
      int count = Math.min(length - done, Frame.MAX_PAYLOAD_BYTES);
      boolean last = done + count == length;
      frame(count, Frame.DATA, last && end ? Frame.END_STREAM : 0, streamId)
          .put(bytes, offset + done, count);
      done += count;
    } while (done < length);
  }

  void reset(int streamId, int code) {
    frame(4, Frame.RST_STREAM, 0, streamId).putInt(code);
  }

  /** How much waits for {@link #flush}. */
  int unsentBytes() {
    return output.position();
  }

  void flush() throws IOException {
    if (takenBytes > 0) {
      grant(takenBytes);
      takenBytes = 0;
    }
    if (output.position() > 0) {
      socket.getOutputStream().write(output.array(), 0, output.position());
      output.clear();
    }
  }

  private ByteBuffer frame(int length, int type, int flags, int streamId) {
    return room(Frame.HEADER_BYTES + length)
        .putInt(length << 8 | type)
        .put((byte) flags)
        .putInt(streamId);
  }

  private ByteBuffer room(int bytes) {
    if (output.remaining() < bytes) {
      int size = Math.max(output.capacity() * 2, output.position() + bytes);
      output = ByteBuffer.allocate(size).put(output.flip());
    }
    return output;
  }

  /** Whether something can be read without waiting. */
  boolean available() throws IOException {
    return in.available() > 0;
  }

  /** Reads once, waiting if nothing is there, and tells of all that is complete. */
  void read(Listener listener) throws IOException {
    if (inputEnd == input.length) {
      makeRoom();
    }
    int length = in.read(input, inputEnd, input.length - inputEnd);
    if (length < 0) {
      throw new EOFException("the server closed" + (goAway == null ? "" : ": " + goAway));
    }
    inputEnd += length;
    while (inputEnd - inputStart >= Frame.HEADER_BYTES) {
      ByteBuffer header = ByteBuffer.wrap(input, inputStart, Frame.HEADER_BYTES);
      int first = header.getInt();
      int payloadBytes = first >>> 8;
      if (inputEnd - inputStart < Frame.HEADER_BYTES + payloadBytes) {
        return;
      }
      int at = inputStart + Frame.HEADER_BYTES;
      inputStart = at + payloadBytes;
      onFrame(listener, first & 0xff, header.get(), header.getInt(), at, payloadBytes);
    }
    if (inputStart == inputEnd) {
      inputStart = 0;
      inputEnd = 0;
    }
  }

  private void makeRoom() {
    int size = inputEnd - inputStart;
    byte[] target = inputStart == 0 ? new byte[input.length * 2] : input;
    System.arraycopy(input, inputStart, target, 0, size);
    input = target;
    inputStart = 0;
    inputEnd = size;
  }

  private void onFrame(Listener listener, int type, int flags, int streamId, int at, int length)
      throws IOException {
    boolean end = (flags & Frame.END_STREAM) != 0;
    switch (type) {
      case Frame.DATA -> {
        takenBytes += length;
        listener.onData(streamId, input, at, length, end);
      }
      case Frame.HEADERS -> listener.onHeaders(streamId, decode(at, length), end);
      case Frame.RST_STREAM ->
          listener.onReset(streamId, ByteBuffer.wrap(input, at, length).getInt());
      case Frame.SETTINGS -> {
        if ((flags & Frame.ACK) == 0) {
          frame(0, Frame.SETTINGS, Frame.ACK, 0);
        }
      }
      case Frame.PING -> {
        if ((flags & Frame.ACK) == 0) {
          frame(length, Frame.PING, Frame.ACK, 0).put(input, at, length);
        }
      }
      case Frame.GOAWAY -> {
        int code = ByteBuffer.wrap(input, at + 4, 4).getInt();
        goAway = code + " " + new String(input, at + 8, length - 8, StandardCharsets.UTF_8);
      }
      default -> {
        // WINDOW_UPDATE: requests are smaller than the windows we begin with.
      }
    }
  }

  private Headers decode(int at, int length) throws IOException {
    try {
      return decoder.decode(input, at, length);
    } catch (HpackException e) {
      throw new IOException(Arrays.toString(Arrays.copyOfRange(input, at, at + length)), e);
    }
  }

  /** What the server said before it closes, or {@code null}. */
  String goAway() {
    return goAway;
  }

  /** Ends without a word: the peer finds the connection reset. */
  void abort() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
