package dev.peregrine.testcalls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.peregrine.wire.Headers;
import dev.peregrine.wire.hpack.HpackDecoder;
import dev.peregrine.wire.hpack.HpackException;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** One connection with one call of gRPC, its frames written by hand. One thread. */
public final class GrpcConnection implements AutoCloseable {

  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
  private static final int TIMEOUT_MILLIS = 20_000;

  // RFC 9113, 6: frame types and flags.
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int GOAWAY = 7;
  private static final int ACK = 0x1;
  private static final int END_STREAM = 0x1;
  private static final int END_HEADERS = 0x4;
  private static final byte[] CANCEL = {0, 0, 0, 8};

  private static final int LIST_BYTES = 1 << 16;
  private static final int TABLE_BYTES = 4096;

  /** RFC 7541, 5.1: a length from here on takes more than one octet. */
  private static final int LONG_TEXT = 127;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final HpackDecoder hpack = new HpackDecoder(TABLE_BYTES, LIST_BYTES, LIST_BYTES);

  /** Connects. */
  public GrpcConnection(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    out.write(PREFACE);
    frame(SETTINGS, 0, 0, new byte[0]);
  }

  /**
   * Begins the call.
   *
   * @param fields names and values of further fields by turns
   */
  public void headers(String path, String... fields) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    String[] usual = {
      ":method",
      "POST",
      ":scheme",
      "http",
      ":path",
      path,
      ":authority",
      "test",
      "te",
      "trailers",
      "content-type",
      "application/grpc"
    };
    for (String[] list : new String[][] {usual, fields}) {
      for (int i = 0; i < list.length; i += 2) {
        // RFC 7541, 6.2.2: a literal without indexing, its name new.
        block.write(0);
        text(block, list[i]);
        text(block, list[i + 1]);
      }
    }
    frame(HEADERS, END_HEADERS, 1, block.toByteArray());
    out.flush();
  }

  private static void text(ByteArrayOutputStream block, String text) {
    int length = text.length();
    if (length < LONG_TEXT) {
      block.write(length);
    } else {
      block.write(LONG_TEXT);
      int rest = length - LONG_TEXT;
      while (rest >= 0x80) {
        block.write((rest & 0x7f) | 0x80);
        rest >>>= 7;
      }
      block.write(rest);
    }
    block.writeBytes(text.getBytes(ISO_8859_1));
  }

  /** Sends content. */
  public void data(byte[] content, boolean end) throws IOException {
    frame(DATA, end ? END_STREAM : 0, 1, content);
    out.flush();
  }

  /** Cancels the call. */
  public void cancel() throws IOException {
    frame(RST_STREAM, 0, 1, CANCEL);
    out.flush();
  }

  /** Waits until the stream has ended. */
  public Reply await() throws IOException {
    int httpStatus = 0;
    String grpcStatus = null;
    while (true) {
      int lengthAndType = in.readInt();
      int flags = in.readUnsignedByte();
      in.readInt();
      byte[] payload = in.readNBytes(lengthAndType >>> 8);
      int type = lengthAndType & 0xff;
      if (type == SETTINGS && (flags & ACK) == 0) {
        frame(SETTINGS, ACK, 0, new byte[0]);
        out.flush();
      } else if (type == HEADERS) {
        Headers headers = decode(payload);
        grpcStatus = headers.get("grpc-status");
        String status = headers.get(":status");
        httpStatus = status == null ? httpStatus : Integer.parseInt(status);
      } else if (type == RST_STREAM || type == GOAWAY) {
        throw new IOException("the server sent frame " + type);
      }
      if ((type == HEADERS || type == DATA) && (flags & END_STREAM) != 0) {
        return new Reply(httpStatus, grpcStatus);
      }
    }
  }

  private Headers decode(byte[] block) throws IOException {
    try {
      return hpack.decode(block, 0, block.length);
    } catch (HpackException e) {
      throw new IOException(e);
    }
  }

  private void frame(int type, int flags, int streamId, byte[] payload) throws IOException {
    // RFC 9113, 4.1: length in 24 bits, type and flags in 8 each, stream in 31.
    out.writeInt(payload.length << 8 | type);
    out.writeByte(flags);
    out.writeInt(streamId);
    out.write(payload);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
