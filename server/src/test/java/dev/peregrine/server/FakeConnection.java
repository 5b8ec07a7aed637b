package dev.peregrine.server;

import dev.peregrine.wire.Connection;
import dev.peregrine.wire.Transport;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** An engine that echoes; tests override what they are about. */
class FakeConnection implements Connection {

  final Transport transport;
  final CountDownLatch closed = new CountDownLatch(1);

  FakeConnection(Transport transport) {
    this.transport = transport;
  }

  @Override
  public void receive(byte[] bytes, int offset, int length, long nowNanos) {
    transport.output().write(bytes, offset, length);
  }

  @Override
  public void transmit() {
    // nothing is ever queued here
  }

  @Override
  public long expire(long nowNanos) {
    return Long.MAX_VALUE;
  }

  @Override
  public void drain(long nowNanos) {
    transport.close();
  }

  @Override
  public void closed() {
    closed.countDown();
  }

  @Override
  public int openStreams() {
    return 0;
  }

  boolean awaitClosed() throws InterruptedException {
    return closed.await(LoopRig.TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
  }
}
