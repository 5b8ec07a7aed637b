package dev.peregrine.bench.engine;

import dev.peregrine.wire.Output;
import dev.peregrine.wire.Transport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** A socket that takes everything at once. One thread. */
final class NullTransport implements Transport {

  private static final SocketAddress ADDRESS = InetSocketAddress.createUnresolved("bench", 1);

  private final Output output = new Output();

  @Override
  public Output output() {
    return output;
  }

  @Override
  public void flush() {
    output.clear();
  }

  @Override
  public void wake() {}

  @Override
  public void close() {
    throw new IllegalStateException("the engine closed the connection");
  }

  @Override
  public void readable(boolean on) {}

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
    return ADDRESS;
  }

  @Override
  public SocketAddress local() {
    return ADDRESS;
  }
}
