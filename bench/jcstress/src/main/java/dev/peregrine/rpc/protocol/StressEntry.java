package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.Transport;

/** An entry that is no call: notes what it sees when it is delivered. */
abstract class StressEntry extends OutboxEntry {

  @Override
  public Transport transport() {
    throw new IllegalStateException("not asked for");
  }

  @Override
  void runHandler() {
    throw new IllegalStateException("not a task");
  }

  @Override
  void rejected(Throwable reason) {
    throw new IllegalStateException("not a task");
  }

  /** Delivers everything as a loop does; says how many entries there were. */
  static int deliverAll(Outbox outbox) {
    int count = 0;
    OutboxEntry entry = outbox.takeAll();
    while (entry != null) {
      OutboxEntry next = entry.next();
      entry.deliver();
      entry = next;
      count++;
    }
    return count;
  }
}
