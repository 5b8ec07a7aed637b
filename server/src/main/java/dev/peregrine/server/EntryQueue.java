package dev.peregrine.server;

import dev.peregrine.rpc.protocol.OutboxEntry;

/**
 * What other threads have handed over for one connection, until the end of the loop's turn.
 * Loop-confined.
 */
final class EntryQueue {

  private OutboxEntry first;
  private OutboxEntry last;

  boolean isEmpty() {
    return first == null;
  }

  void add(OutboxEntry entry) {
    entry.next(null);
    if (first == null) {
      first = entry;
    } else {
      last.next(entry);
    }
    last = entry;
  }

  /** Runs every entry, oldest first. After a fault the rest is still here. */
  void deliverAll() {
    while (first != null) {
      OutboxEntry entry = first;
      first = entry.next(); // before it runs: it may be offered again then
      entry.deliver();
    }
    last = null;
  }
}
