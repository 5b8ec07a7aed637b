package dev.peregrine.rpc.protocol;

import com.google.protobuf.StringValue;
import dev.peregrine.wire.Headers;
import java.io.ByteArrayOutputStream;

/** What requests are made of. Any thread. */
final class RequestParts {

  private RequestParts() {}

  /**
   * The header section of a good call.
   *
   * @param changes names and values by turns: replaces a field of this name or is added at the end;
   *     a {@code null} value takes the field away
   */
  static Headers headers(String... changes) {
    String[][] usual = {
      {":method", "POST"},
      {":scheme", "http"},
      {":path", "/test.Echo/Call"},
      {":authority", "test"},
      {"te", "trailers"},
      {"content-type", "application/grpc"},
    };
    Headers headers = new Headers();
    boolean[] used = new boolean[changes.length];
    for (String[] field : usual) {
      String value = field[1];
      for (int i = 0; i < changes.length; i += 2) {
        if (changes[i].equals(field[0])) {
          used[i] = true;
          value = changes[i + 1];
        }
      }
      if (value != null) {
        headers.add(field[0], value);
      }
    }
    for (int i = 0; i < changes.length; i += 2) {
      if (!used[i]) {
        headers.add(changes[i], changes[i + 1]);
      }
    }
    return headers;
  }

  /** A message behind its prefix. */
  static byte[] message(String text) {
    return message(0, StringValue.of(text).toByteArray());
  }

  /** Any bytes behind the prefix of a message. */
  static byte[] message(int flags, byte[] content) {
    return concat(prefix(flags, content.length), content);
  }

  /** A prefix alone; {@code length} is written as 32 unsigned bits. */
  static byte[] prefix(int flags, long length) {
    return new byte[] {
      (byte) flags,
      (byte) (length >>> 24),
      (byte) (length >>> 16),
      (byte) (length >>> 8),
      (byte) length
    };
  }

  /** One after the other. */
  static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** How {@link FakeHttpStream} shows a response message. */
  static String dataLine(String text) {
    byte[] message = message(text);
    return "DATA " + FakeHttpStream.text(message, 0, message.length);
  }
}
