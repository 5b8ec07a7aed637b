package dev.peregrine.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Servers with little memory for bytes that wait, and calls which take much of it. */
final class ScarceMemory {

  /** What a server may keep. */
  static final int QUEUED_BYTES = 2 << 20;

  private ScarceMemory() {}

  /** A server with one loop, whose clients need not wait for window. */
  static ServerBuilder server() {
    return Server.builder()
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .connectionLimits(
            ConnectionLimits.DEFAULTS
                .withMaxQueuedBytes(QUEUED_BYTES)
                .withWindows(QUEUED_BYTES, QUEUED_BYTES))
        .loops(1)
        .onTerm(false);
  }

  /** A client that has sent a whole request over HTTP/1.1: one letter, so many times. */
  static Socket send(Server server, String letter, int bytes) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(20_000);
    String head =
        "POST "
            + EchoService.PATH
            + " HTTP/1.1\r\nhost: a\r\ncontent-type: application/proto\r\ncontent-length: "
            + bytes
            + "\r\n\r\n";
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().write(letter.repeat(bytes).getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** The status of the response that comes next. */
  static int status(Socket socket) throws IOException {
    String line = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
    return Integer.parseInt(line.substring(9));
  }
}
