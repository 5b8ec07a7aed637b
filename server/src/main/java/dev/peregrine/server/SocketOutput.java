package dev.peregrine.server;

import dev.peregrine.wire.Output;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * The bytes that leave by one socket, encrypted already where they are to be, and those which it
 * did not take yet. Loop-confined.
 */
final class SocketOutput {

  /**
   * What may wait for a peer that does not read. Engines stop while {@link #blocked} and have
   * bounds of their own, far below; this one holds whatever they do.
   */
  private static final int MAX_BACKLOG_BYTES = 16 * 1024 * 1024;

  private final SocketChannel channel;
  private final LoopBuffers buffers;
  private Backlog backlog;
  private boolean blocked;
  private long sentBytes;

  SocketOutput(SocketChannel channel, LoopBuffers buffers) {
    this.channel = channel;
    this.buffers = buffers;
  }

  /** Writes what goes to the socket now, and keeps the rest behind what waits. */
  void write(Output wire) throws IOException {
    if (backlog != null) {
      keep(wire);
      return;
    }
    int written = buffers.write(channel, wire);
    sentBytes += written;
    if (written < wire.totalBytes()) {
      backlog = new Backlog(wire, written);
      blocked = true;
    }
  }

  /** Keeps bytes without trying to write them. */
  void keep(Output wire) {
    if (backlog == null) {
      backlog = new Backlog(wire, 0);
    } else {
      backlog.append(wire);
    }
  }

  /** Writes what was kept, unless the socket is known to take nothing. */
  void writeKept() throws IOException {
    if (backlog != null && !blocked) {
      writeBacklog();
    }
    if (backlog != null && backlog.size() > MAX_BACKLOG_BYTES) {
      throw new IOException("the peer does not read: " + backlog.size() + " bytes wait for it");
    }
  }

  /** The socket takes bytes again. */
  void writeBacklog() throws IOException {
    if (backlog == null) {
      return;
    }
    int waiting = backlog.size();
    blocked = !backlog.writeTo(channel, buffers);
    sentBytes += waiting - backlog.size();
    if (!blocked) {
      backlog = null;
    }
  }

  /** Whether the socket takes nothing until the selector says so. */
  boolean blocked() {
    return blocked;
  }

  /** Whether everything has been written. */
  boolean isEmpty() {
    return backlog == null;
  }

  /** How many bytes wait. */
  long queuedBytes() {
    return backlog == null ? 0 : backlog.size();
  }

  /** The memory that they take. */
  long keptBytes() {
    return backlog == null ? 0 : backlog.keptBytes();
  }

  /** How many bytes the socket has taken since the beginning. */
  long sentBytes() {
    return sentBytes;
  }

  /** Writes nothing any more until the fault that is under way has been dealt with. */
  void block() {
    blocked = true;
  }

  /** The socket is gone. */
  void discard() {
    blocked = true;
    backlog = null;
  }

  /** Has the kernel forget what the peer has not taken, rather than keep it for minutes. */
  void resetOnClose() {
    try {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    } catch (IOException | UnsupportedOperationException e) {
      Log.debug("a socket could not be reset", e);
    }
  }
}
