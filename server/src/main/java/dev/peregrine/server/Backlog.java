package dev.peregrine.server;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/**
 * Bytes a socket has not taken yet, in their order. Exists only while there are some.
 * Loop-confined.
 */
final class Backlog {

  private byte[] bytes;
  private int start;
  private int end;

  /** A copy of the bytes. */
  Backlog(byte[] source, int offset, int length) {
    bytes = Arrays.copyOfRange(source, offset, offset + length);
    end = length;
  }

  int size() {
    return end - start;
  }

  /** Appends a copy of the bytes. */
  void append(byte[] source, int offset, int length) {
    if (length > bytes.length - end) {
      makeRoom(length);
    }
    System.arraycopy(source, offset, bytes, end, length);
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
