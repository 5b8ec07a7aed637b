package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.Output;
import dev.peregrine.wire.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection without a socket. It watches that whoever writes outside a burst also asks for one,
 * for otherwise nobody would send the bytes. Loop-confined.
 */
final class FakeTransport implements Transport {

  static final SocketAddress PEER = address(5001);
  static final SocketAddress LOCAL = address(5002);

  private final Output output = new Output();
  private final List<Runnable> beforeSend = new ArrayList<>();
  private boolean inBurst;
  private boolean wakeNeeded;
  private int wakes;

  private static SocketAddress address(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Has something run whenever the output is about to be sent. */
  void beforeSend(Runnable action) {
    beforeSend.add(action);
  }

  /** Runs something as a burst of this connection. */
  void burst(Runnable action) {
    if (inBurst) {
      throw new AssertionError("a burst within a burst");
    }
    inBurst = true;
    try {
      action.run();
    } finally {
      inBurst = false;
      flush();
    }
  }

  /** A stream of this connection was written to. */
  void touched() {
    wakeNeeded |= !inBurst;
  }

  /** Fails if something was written outside a burst and would stay unsent. */
  void checkNothingStuck() {
    if (wakeNeeded) {
      throw new AssertionError("written outside a burst, without wake()");
    }
  }

  /** How often {@link #wake} was called. */
  int wakes() {
    return wakes;
  }

  @Override
  public Output output() {
    return output;
  }

  @Override
  public void flush() {
    beforeSend.forEach(Runnable::run);
    output.clear();
  }

  @Override
  public void wake() {
    wakes++;
    wakeNeeded = false;
  }

  @Override
  public void close() {
    throw new AssertionError("a call must never close its connection");
  }

  @Override
  public void readable(boolean on) {
    throw new AssertionError("a call must never stop its connection");
  }

  @Override
  public boolean writable() {
    return true;
  }

  @Override
  public long queuedBytes() {
    return 0;
  }

  @Override
  public SocketAddress peer() {
    return PEER;
  }

  @Override
  public SocketAddress local() {
    return LOCAL;
  }
}
