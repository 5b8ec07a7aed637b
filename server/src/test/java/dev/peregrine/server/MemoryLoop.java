package dev.peregrine.server;

import dev.peregrine.rpc.protocol.Deadlines;
import dev.peregrine.rpc.protocol.Loop;
import dev.peregrine.rpc.protocol.Outbox;
import dev.peregrine.rpc.protocol.OutboxEntry;

/** A loop that turns when the test says so, by the test's clock. Test thread. */
final class MemoryLoop implements Loop {

  private static final long START_NANOS = 1_000_000_007L;

  private final Outbox outbox = new Outbox(() -> {});
  private final Deadlines deadlines = new Deadlines(START_NANOS);
  private long nowNanos = START_NANOS;

  /** Lets time pass. */
  void advance(long nanos) {
    nowNanos += nanos;
    deadlines.expire(nowNanos);
  }

  /** Delivers what waits for the loop. */
  void runOutbox() {
    OutboxEntry entry = outbox.takeAll();
    while (entry != null) {
      OutboxEntry next = entry.next();
      entry.deliver();
      entry = next;
    }
  }

  @Override
  public long nowNanos() {
    return nowNanos;
  }

  @Override
  public Outbox outbox() {
    return outbox;
  }

  @Override
  public Deadlines deadlines() {
    return deadlines;
  }

  @Override
  public boolean inLoop() {
    return true;
  }
}
