package dev.peregrine.server;

import dev.peregrine.wire.Output;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Bytes a socket has not taken yet, in their order. Exists only while there are some.
 * Loop-confined.
 */
final class Backlog {

  private byte[] bytes;
  private int start;
  private int end;

  /**
   * A copy of an output's bytes.
   *
   * @param from how many of them the socket has taken
   */
  Backlog(Output output, int from) {
    bytes = new byte[output.totalBytes() - from];
    output.copyTo(ByteBuffer.wrap(bytes), from);
    end = bytes.length;
  }

  int size() {
    return end - start;
  }

  /** The memory it takes. */
  int keptBytes() {
    return bytes.length;
  }

  /** Appends a copy of an output's bytes. */
  void append(Output output) {
    int length = output.totalBytes();
    if (length > bytes.length - end) {
      makeRoom(length);
    }
    output.copyTo(ByteBuffer.wrap(bytes, end, length), 0);
    end += length;
  }

  private void makeRoom(int length) {
    int size = size();
    int needed = Math.addExact(size, length);
    byte[] target = needed > bytes.length ? new byte[Math.max(needed, bytes.length * 2)] : bytes;
    System.arraycopy(bytes, start, target, 0, size);
    bytes = target;
    start = 0;
    end = size;
  }

  /** Writes what the socket takes, and says whether nothing is left. */
  boolean writeTo(SocketChannel channel, LoopBuffers buffers) throws IOException {
    start += buffers.write(channel, bytes, start, size());
    return start == end;
  }
}
