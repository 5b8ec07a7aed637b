package dev.peregrine.server;

import dev.peregrine.wire.Connection;
import dev.peregrine.wire.Output;
import dev.peregrine.wire.Transport;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/** A connection whose socket is memory, and which blocks when the test says so. Test thread. */
final class MemoryTransport implements Transport {

  private static final SocketAddress PEER = InetSocketAddress.createUnresolved("peer.test", 4711);

  private final Output output = new Output();
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private boolean writable = true;
  private boolean wakeAsked;
  private boolean closed;

  /** The end of a burst. */
  void endBurst() {
    flush();
  }

  /** Whether {@link #wake} was called since the last time. */
  boolean takeWake() {
    boolean asked = wakeAsked;
    wakeAsked = false;
    return asked;
  }

  /** The socket blocks, or takes bytes again. */
  void writable(Connection connection, boolean on) {
    boolean resumed = on && !writable;
    writable = on;
    if (resumed && !closed) {
      connection.transmit();
    }
  }

  /** Whether the engine has closed the connection. */
  boolean closed() {
    return closed;
  }

  /** All that was sent. */
  byte[] sent() {
    return sent.toByteArray();
  }

  @Override
  public Output output() {
    return output;
  }

  @Override
  public void flush() {
    ByteBuffer bytes = ByteBuffer.allocate(output.totalBytes());
    output.copyTo(bytes, 0);
    sent.write(bytes.array(), 0, bytes.position());
    output.clear();
  }

  @Override
  public void wake() {
    wakeAsked = true;
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public void readable(boolean on) {
    // The fuzzer sends on: the rest of a read burst arrives even so.
  }

  @Override
  public boolean writable() {
    return writable;
  }

  @Override
  public long queuedBytes() {
    return writable ? 0 : output.totalBytes();
  }

  @Override
  public SocketAddress peer() {
    return PEER;
  }

  @Override
  public SocketAddress local() {
    return PEER;
  }
}
