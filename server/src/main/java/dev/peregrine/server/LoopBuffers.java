package dev.peregrine.server;

import dev.peregrine.wire.Output;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The memory a loop lends to the connection whose burst it runs, so that an idle one owns none.
 * Loop-confined.
 *
 * <p>The JDK moves bytes between sockets and direct buffers only, engines work on {@code byte[]}:
 * each way is one copy, through the buffers here rather than through the JDK's own cache of them.
 */
final class LoopBuffers {

  /** More than one window of most clients, so that a read rarely leaves anything behind. */
  static final int INPUT_BYTES = 64 * 1024;

  /** Engines flush large content at 240 KiB, so whatever a burst produced is one system call. */
  private static final int WRITE_BYTES = 256 * 1024;

  private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(INPUT_BYTES);
  private final ByteBuffer writeBuffer = ByteBuffer.allocateDirect(WRITE_BYTES);
  private final byte[] input = new byte[INPUT_BYTES];
  private final Output output = new Output();

  /** Whose bytes are in the output. */
  private SocketHandler owner;

  private TlsBuffers tls;

  /** What {@link #read} has filled. */
  byte[] input() {
    return input;
  }

  /**
   * Reads once.
   *
   * @return the number of bytes in {@link #input}, or −1 at the end of the stream
   */
  int read(SocketChannel channel) throws IOException {
    return read(channel, input, 0);
  }

  /** The buffers of TLS; made when first asked for. */
  TlsBuffers tls() {
    if (tls == null) {
      tls = new TlsBuffers();
    }
    return tls;
  }

  /**
   * Reads once.
   *
   * @param target has room for {@link #INPUT_BYTES} from the offset on
   * @return the number of bytes in the target, or −1 at the end of the stream
   */
  int read(SocketChannel channel, byte[] target, int offset) throws IOException {
    readBuffer.clear();
    int length = channel.read(readBuffer);
    if (length > 0) {
      readBuffer.get(0, target, offset, length);
    }
    return length;
  }

  /** Writes until the socket takes no more, and returns how many bytes it took. */
  int write(SocketChannel channel, byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int chunk = Math.min(length - done, WRITE_BYTES);
      writeBuffer.clear().put(bytes, offset + done, chunk).flip();
      int written = channel.write(writeBuffer);
      done += written;
      if (written < chunk) {
        break;
      }
    }
    return done;
  }

  /** Writes an output until the socket takes no more, and returns how many bytes it took. */
  int write(SocketChannel channel, Output bytes) throws IOException {
    int length = bytes.totalBytes();
    int done = 0;
    while (done < length) {
      bytes.copyTo(writeBuffer.clear(), done);
      int chunk = writeBuffer.flip().remaining();
      int written = channel.write(writeBuffer);
      done += written;
      if (written < chunk) {
        break;
      }
    }
    return done;
  }

  /**
   * The output, for the bytes of one socket. What another one has left in it is moved to that one's
   * backlog first: a handler may speak to any connection of its loop while another one's burst
   * runs.
   */
  Output lend(SocketHandler socket) {
    if (owner != socket) {
      if (owner != null && output.totalBytes() > 0) {
        owner.park(output);
        output.clear();
      }
      owner = socket;
      socket.schedule();
    }
    return output;
  }

  /** The output if it holds bytes of this socket, else {@code null}. */
  Output filledBy(SocketHandler socket) {
    return owner == socket && output.totalBytes() > 0 ? output : null;
  }

  /** Empties the output if it is this socket's. */
  void release(SocketHandler socket) {
    if (owner == socket) {
      output.clear();
      owner = null;
    }
  }
}
