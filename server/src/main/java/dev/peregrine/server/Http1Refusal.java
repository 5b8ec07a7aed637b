package dev.peregrine.server;

import dev.peregrine.wire.Connection;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Answers one HTTP/1 request with a line of text that says what is spoken here, and closes. What
 * only begins like one is closed without an answer. Loop-confined.
 */
final class Http1Refusal implements Connection {

  /** Longer request lines are not waited for (RFC 9112, 3 asks for 8000 at least). */
  private static final int MAX_LINE_BYTES = 8 * 1024;

  /** How long a peer may take for its request line. */
  private static final long LINE_NANOS = 10_000_000_000L;

  private static final String BODY = "This port speaks HTTP/2 without TLS, as gRPC clients do.\n";

  private final SocketHandler socket;
  private final KnockLog knocks;
  private final long closeNanos;
  private byte[] line = {};

  Http1Refusal(SocketHandler socket, KnockLog knocks, long nowNanos) {
    this.socket = socket;
    this.knocks = knocks;
    this.closeNanos = nowNanos + LINE_NANOS;
  }

  @Override
  public void receive(byte[] bytes, int offset, int length, long nowNanos) {
    int taken = Math.min(length, MAX_LINE_BYTES - line.length);
    int end = offset;
    while (end < offset + taken && bytes[end] != '\n') {
      end++;
    }
    int known = line.length;
    line = Arrays.copyOf(line, known + end - offset);
    System.arraycopy(bytes, offset, line, known, end - offset);
    if (end < offset + taken) {
      finish(new String(line, StandardCharsets.ISO_8859_1).stripTrailing(), nowNanos);
    } else if (line.length == MAX_LINE_BYTES) {
      answer("", nowNanos);
    }
  }

  private void finish(String requestLine, long nowNanos) {
    if (requestLine.contains(" HTTP/")) {
      answer(requestLine, nowNanos);
    } else {
      // RFC 9113, 3.4: to whom this is a broken HTTP/2 preface, text would be a broken frame.
      knocks.unknown(socket.peer(), nowNanos);
      socket.close();
    }
  }

  private void answer(String requestLine, long nowNanos) {
    boolean request = requestLine.endsWith(" HTTP/1.1") || requestLine.endsWith(" HTTP/1.0");
    // RFC 9110, 15.5.22: 426 must say to what, and Upgrade is a hop-by-hop field.
    String text =
        request
            ? "HTTP/1.1 426 Upgrade Required\r\nUpgrade: HTTP/2.0\r\nConnection: Upgrade, close\r\n"
            : "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n";
    text += "Content-Type: text/plain; charset=utf-8\r\nContent-Length: ";
    text += BODY.length() + "\r\n\r\n";
    if (!requestLine.startsWith("HEAD ")) {
      text += BODY;
    }
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    socket.output().write(bytes, 0, bytes.length);
    knocks.http1(socket.peer(), request ? 426 : 400, nowNanos);
    socket.close();
  }

  @Override
  public void transmit() {
    // the answer is sent with the burst that asked for it
  }

  @Override
  public long expire(long nowNanos) {
    if (closeNanos - nowNanos <= 0) {
      socket.close();
      return Long.MAX_VALUE;
    }
    return closeNanos;
  }

  @Override
  public void drain(long nowNanos) {
    socket.close();
  }

  @Override
  public void closed() {
    line = new byte[0];
  }

  @Override
  public int openStreams() {
    return 0;
  }
}
