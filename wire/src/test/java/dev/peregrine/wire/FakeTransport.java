package dev.peregrine.wire;

import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A socket side without a socket: keeps what was sent and notes what was asked. Loop-confined.
 *
 * <p>It may be given little room, and is then not writable until the room has grown.
 */
public final class FakeTransport implements Transport {

  private static final SocketAddress PEER = InetSocketAddress.createUnresolved("peer.test", 4711);
  private static final SocketAddress LOCAL = InetSocketAddress.createUnresolved("here.test", 80);

  private final Output output = new Output();
  private final List<String> limits = new ArrayList<>();
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private final List<String> events = new ArrayList<>();
  private long room = Long.MAX_VALUE;
  private long unsent;
  private long total;
  private boolean closed;
  private boolean readable = true;
  private boolean woken;

  /** What a loop does when a burst is over: sends the output. */
  public void endBurst() {
    ByteBuffer bytes = ByteBuffer.allocate(output.totalBytes());
    output.copyTo(bytes, 0);
    total += bytes.position();
    sent.write(bytes.array(), 0, bytes.position());
    unsent += bytes.position();
    output.clear();
    drainIntoRoom();
  }

  /** Lets the socket take so many more bytes. */
  public void addRoom(long bytes) {
    room = bytes;
    drainIntoRoom();
  }

  private void drainIntoRoom() {
    long taken = Math.min(room, unsent);
    unsent -= taken;
    if (room != Long.MAX_VALUE) {
      room -= taken;
    }
  }

  /** Everything sent since the last call. */
  public byte[] takeSent() {
    byte[] bytes = sent.toByteArray();
    sent.reset();
    return bytes;
  }

  /** Bytes sent altogether. */
  public long total() {
    return total;
  }

  /** What was asked since the last call, besides sending. */
  public List<String> takeEvents() {
    List<String> taken = List.copyOf(events);
    events.clear();
    return taken;
  }

  public boolean isClosed() {
    return closed;
  }

  public boolean isReadable() {
    return readable;
  }

  /** Whether {@link #wake} was called since the last call. */
  public boolean takeWoken() {
    boolean was = woken;
    woken = false;
    return was;
  }

  @Override
  public Output output() {
    return output;
  }

  @Override
  public void flush() {
    endBurst();
  }

  @Override
  public void wake() {
    woken = true;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      events.add("close");
    }
  }

  @Override
  public void readable(boolean on) {
    if (readable != on) {
      readable = on;
      events.add(on ? "reading" : "not reading");
    }
  }

  @Override
  public boolean writable() {
    return unsent == 0 && room > 0;
  }

  @Override
  public long queuedBytes() {
    return unsent;
  }

  @Override
  public SocketAddress peer() {
    return PEER;
  }

  @Override
  public SocketAddress local() {
    return LOCAL;
  }

  @Override
  public void limitReached(PeerLimit limit, String reason) {
    limits.add(limit + " " + reason);
  }

  /** The limits that were reached, in their order. */
  public List<String> limits() {
    return limits;
  }
}
