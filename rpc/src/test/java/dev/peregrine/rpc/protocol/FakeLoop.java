package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Limit;
import dev.peregrine.wire.Transport;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** An event loop that turns when the test says so, by a clock which the test sets. Test thread. */
final class FakeLoop implements Loop {

  /** Where its clock begins: not zero, for nothing may depend on that. */
  static final long START_NANOS = 1_000_000_007L;

  private final AtomicInteger wakes = new AtomicInteger();
  private final Outbox outbox = new Outbox(wakes::incrementAndGet);
  private final Deadlines deadlines = new Deadlines(START_NANOS);
  private final Set<FakeTransport> transports = new LinkedHashSet<>();
  private final List<Limit> limits = new ArrayList<>();
  private long nowNanos = START_NANOS;

  /** Has the transport watched. */
  void add(FakeTransport transport) {
    transports.add(transport);
  }

  /** How often the outbox has woken this loop. Any thread. */
  int wakes() {
    return wakes.get();
  }

  /** Runs what the outbox holds, each entry in a burst of its connection; says how many. */
  int runOutbox() {
    int count = 0;
    OutboxEntry entry = outbox.takeAll();
    while (entry != null) {
      OutboxEntry next = entry.next();
      ((FakeTransport) entry.transport()).burst(entry::deliver);
      entry = next;
      count++;
    }
    checkNothingStuck();
    return count;
  }

  /** Lets time pass and fires the deadlines that are over. */
  void advance(long nanos) {
    nowNanos += nanos;
    deadlines.expire(nowNanos);
    checkNothingStuck();
  }

  /** Fails if a connection was written to outside a burst and would not be heard of again. */
  void checkNothingStuck() {
    transports.forEach(FakeTransport::checkNothingStuck);
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

  /** The limits that were reached. */
  List<Limit> limits() {
    return limits;
  }

  @Override
  public void limitReached(Limit limit, Transport transport, String reason) {
    limits.add(limit);
  }

  @Override
  public boolean inLoop() {
    return true;
  }
}
