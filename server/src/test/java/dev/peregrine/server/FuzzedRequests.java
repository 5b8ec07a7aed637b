package dev.peregrine.server;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.google.protobuf.StringValue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Pieces of requests as clients send them, or nearly. Any thread. */
final class FuzzedRequests {

  private static final String[] PATHS = {"/test.Echo/Unary", "/test.Echo/Chat", "/test.Echo/No"};

  private static final String[] CONTENT_TYPES = {
    "application/grpc",
    "application/grpc-web",
    "application/grpc-web-text",
    "application/proto",
    "application/connect+proto",
    "application/json",
    "text/plain",
  };

  private static final int END_STREAM = 0x1;
  private static final int END_HEADERS = 0x4;

  private FuzzedRequests() {}

  static byte[] headers(FuzzedDataProvider data) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    literal(block, ":method", data.consumeBoolean() ? "POST" : "GET");
    literal(block, ":scheme", "http");
    literal(block, ":path", path(data));
    literal(block, "content-type", data.pickValue(CONTENT_TYPES));
    if (data.consumeBoolean()) {
      literal(block, "grpc-timeout", data.consumeInt(0, 3_000) + "m");
    }
    if (data.consumeBoolean()) {
      literal(block, "grpc-encoding", data.consumeBoolean() ? "gzip" : "identity");
    }
    int flags = (data.consumeBoolean() ? END_STREAM : 0) | END_HEADERS;
    return frame(1, flags, data.consumeInt(0, 4) * 2 + 1, block.toByteArray());
  }

  static byte[] content(FuzzedDataProvider data) {
    return frame(0, data.consumeInt(0, 1), data.consumeInt(0, 4) * 2 + 1, message(data));
  }

  static byte[] head(FuzzedDataProvider data) {
    return ((data.consumeBoolean() ? "POST " : "GET ")
            + path(data)
            + " HTTP/1.1\r\nhost: test\r\ncontent-type: "
            + data.pickValue(CONTENT_TYPES)
            + (data.consumeBoolean() ? "\r\nexpect: 100-continue" : "")
            + (data.consumeBoolean()
                ? "\r\ntransfer-encoding: chunked"
                : "\r\ncontent-length: " + data.consumeInt(0, 40))
            + "\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  static byte[] chunk(FuzzedDataProvider data) {
    ByteArrayOutputStream chunk = new ByteArrayOutputStream();
    byte[] content = message(data);
    chunk.writeBytes(
        (Integer.toHexString(content.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    chunk.writeBytes(content);
    chunk.writeBytes(new byte[] {'\r', '\n'});
    return chunk.toByteArray();
  }

  private static String path(FuzzedDataProvider data) {
    String path = data.pickValue(PATHS);
    return data.consumeBoolean() ? path : path + "?encoding=proto&connect=v1&message=CgE1&base64=1";
  }

  /** A message, with its prefix or without, or anything. */
  private static byte[] message(FuzzedDataProvider data) {
    byte[] text = StringValue.of(data.consumeAsciiString(30)).toByteArray();
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    if (data.consumeBoolean()) {
      message.writeBytes(new byte[] {(byte) data.consumeInt(0, 2), 0, 0, 0, (byte) text.length});
    }
    message.writeBytes(text);
    return message.toByteArray();
  }

  /** A literal field without indexing (RFC 7541, 6.2.2). */
  private static void literal(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    block.write(name.length());
    block.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
    block.write(value.length());
    block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  static byte[] frame(int type, int flags, int stream, byte[] payload) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.writeBytes(
        new byte[] {
          0,
          (byte) (payload.length >> 8),
          (byte) payload.length,
          (byte) type,
          (byte) flags,
          0,
          0,
          0,
          (byte) stream
        });
    frame.writeBytes(payload);
    return frame.toByteArray();
  }
}
