package dev.peregrine.examples;

import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.MalformedMessageException;
import dev.peregrine.rpc.Method;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.hpack.HpackDecoder;
import dev.peregrine.wire.hpack.HpackException;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * One thread. The least gRPC client there can be: one connection, one unary call, frames written by
 * hand. It shows that the server answers, and what a call is on the wire; it is no client library.
 */
final class HelloCall implements Closeable {

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int STREAM_ID = 1;
  private static final int TIMEOUT_MILLIS = 10_000;

  // RFC 9113, 6: frame types and flags.
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int CONTINUATION = 9;
  private static final int ACK = 0x1;
  private static final int END_STREAM = 0x1;
  private static final int END_HEADERS = 0x4;
  private static final int PADDED = 0x8;
  private static final int PRIORITY = 0x20;
  private static final int PRIORITY_BYTES = 5;
  private static final int GOAWAY_FIXED_BYTES = 8;

  /** RFC 9113, 6.5.2: what a server may send before it knows better settings. */
  private static final int MAX_FRAME_BYTES = 16_384;

  /** Enough for any reply of an example, and a bound in case it is not. */
  private static final int MAX_REPLY_BYTES = 1 << 20;

  private static final int MAX_LIST_BYTES = 16_384;
  private static final int TABLE_BYTES = 4096;
  private static final int PREFIX_BYTES = 5;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final HpackDecoder hpack = new HpackDecoder(TABLE_BYTES, MAX_LIST_BYTES, MAX_LIST_BYTES);
  private final ByteArrayOutputStream block = new ByteArrayOutputStream();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private boolean endAfterBlock;
  private Headers last;

  private HelloCall(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
  }

  /**
   * Calls a method of a server on this machine.
   *
   * @throws IOException if there is no reply, or its status is not OK
   */
  static <Q, R> R call(int port, Method<Q, R> method, Q request) throws IOException {
    try (HelloCall call = new HelloCall(port)) {
      call.send(port, method, request);
      return call.receive(method.responseCodec());
    }
  }

  private <Q> void send(int port, Method<Q, ?> method, Q request) throws IOException {
    out.write(PREFACE.getBytes(StandardCharsets.US_ASCII));
    writeFrame(SETTINGS, 0, 0, new byte[0]);
    ByteArrayOutputStream fields = new ByteArrayOutputStream();
    writeField(fields, ":method", "POST");
    writeField(fields, ":scheme", "http");
    writeField(fields, ":path", "/" + method.fullName());
    writeField(fields, ":authority", "localhost:" + port);
    writeField(fields, "te", "trailers");
    writeField(fields, "content-type", "application/grpc");
    writeFrame(HEADERS, END_HEADERS, STREAM_ID, fields.toByteArray());
    writeFrame(DATA, END_STREAM, STREAM_ID, prefixed(method.requestCodec(), request));
    out.flush();
  }

  /** RFC 7541, 6.2.2: a literal without indexing, its name new, nothing Huffman-coded. */
  private static void writeField(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    for (String text : new String[] {name, value}) {
      // RFC 7541, 5.1: up to 126 the length is one octet; ours are shorter.
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  /** gRPC: one octet "not compressed", four octets of length, the message. */
  private static <Q> byte[] prefixed(Codec<Q> codec, Q request) {
    int size = codec.size(request);
    byte[] bytes = new byte[PREFIX_BYTES + size];
    ByteBuffer.wrap(bytes).putInt(1, size);
    codec.encode(request, bytes, PREFIX_BYTES);
    return bytes;
  }

  private void writeFrame(int type, int flags, int streamId, byte[] payload) throws IOException {
    // RFC 9113, 4.1: length in 24 bits, type and flags in 8 each, stream in 31.
    out.writeInt(payload.length << 8 | type);
    out.writeByte(flags);
    out.writeInt(streamId);
    out.write(payload);
  }

  private <R> R receive(Codec<R> codec) throws IOException {
    boolean ended = false;
    while (!ended) {
      ended = readFrame();
    }
    String status = last == null ? null : last.get("grpc-status");
    if (!"0".equals(status)) {
      throw new IOException(
          "the call ended with grpc-status "
              + status
              + ", grpc-message "
              + (last == null ? null : last.get("grpc-message")));
    }
    byte[] bytes = body.toByteArray();
    if (bytes.length < PREFIX_BYTES) {
      throw new IOException("the reply holds no message");
    }
    try {
      return codec.decode(bytes, PREFIX_BYTES, bytes.length - PREFIX_BYTES);
    } catch (MalformedMessageException e) {
      throw new IOException("the reply is no message: " + e.getMessage(), e);
    }
  }

  /** Whether the stream has ended with this frame. */
  private boolean readFrame() throws IOException {
    int lengthAndType = in.readInt();
    int length = lengthAndType >>> 8;
    int flags = in.readUnsignedByte();
    int streamId = in.readInt() & Integer.MAX_VALUE;
    if (length > MAX_FRAME_BYTES) {
      throw new IOException("a frame of " + length + " bytes: is this HTTP/2?");
    }
    byte[] payload = in.readNBytes(length);
    switch (lengthAndType & 0xff) {
      case SETTINGS -> acknowledge(SETTINGS, flags, new byte[0]);
      case PING -> acknowledge(PING, flags, payload);
      case GOAWAY ->
          throw new IOException("the server closed the connection: " + goAwayText(payload));
      case RST_STREAM -> throw new IOException("the server reset the stream");
      case DATA -> {
        return streamId == STREAM_ID && onData(flags, payload);
      }
      case HEADERS, CONTINUATION -> {
        return onFieldBlock(lengthAndType & 0xff, flags, payload);
      }
      default -> {} // RFC 9113, 4.1: frames of unknown types are ignored; so is WINDOW_UPDATE here.
    }
    return false;
  }

  private boolean onData(int flags, byte[] payload) throws IOException {
    int padding = (flags & PADDED) != 0 ? payload[0] & 0xff : 0;
    int start = (flags & PADDED) != 0 ? 1 : 0;
    if (body.size() + payload.length > MAX_REPLY_BYTES) {
      throw new IOException("the reply is larger than " + MAX_REPLY_BYTES + " bytes");
    }
    body.write(payload, start, payload.length - start - padding);
    return (flags & END_STREAM) != 0;
  }

  private boolean onFieldBlock(int type, int flags, byte[] payload) throws IOException {
    int start = 0;
    int padding = 0;
    if (type == HEADERS) {
      block.reset();
      endAfterBlock = (flags & END_STREAM) != 0;
      if ((flags & PADDED) != 0) {
        padding = payload[start++] & 0xff;
      }
      if ((flags & PRIORITY) != 0) {
        start += PRIORITY_BYTES;
      }
    }
    if (block.size() + payload.length > MAX_LIST_BYTES) {
      throw new IOException("the header is larger than " + MAX_LIST_BYTES + " bytes");
    }
    block.write(payload, start, payload.length - start - padding);
    if ((flags & END_HEADERS) == 0) {
      return false;
    }
    try {
      last = hpack.decode(block.toByteArray(), 0, block.size());
    } catch (HpackException e) {
      throw new IOException("the server's header compression is wrong: " + e.getMessage(), e);
    }
    return endAfterBlock;
  }

  private void acknowledge(int type, int flags, byte[] payload) throws IOException {
    if ((flags & ACK) == 0) {
      writeFrame(type, ACK, 0, payload);
      out.flush();
    }
  }

  /** GOAWAY: after the last stream and the error code, a text for people. */
  private static String goAwayText(byte[] payload) {
    int start = Math.min(payload.length, GOAWAY_FIXED_BYTES);
    return new String(payload, start, payload.length - start, StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
