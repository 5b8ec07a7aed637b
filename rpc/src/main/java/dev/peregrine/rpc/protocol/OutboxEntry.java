package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.Transport;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Something that can be handed to an event loop. Offered by any thread, run by the loop. Intrusive:
 * it is its own list node.
 */
public abstract class OutboxEntry {

  private static final VarHandle OFFERED;

  private static final VarHandle NEXT_QUEUED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      OFFERED = lookup.findVarHandle(OutboxEntry.class, "offered", boolean.class);
      NEXT_QUEUED = lookup.findVarHandle(OutboxEntry.class, "nextQueued", ServerCall.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The next entry of the list this one is in: the outbox's own, then a connection's. */
  OutboxEntry next;

  /**
   * The call behind this one on its way to a handler thread: a burst's list, then a pool's queue.
   */
  private volatile ServerCall<?, ?> nextQueued;

  @SuppressWarnings("unused") // through OFFERED
  private volatile boolean offered;

  /** The call queued behind this one, or {@code null}. Any thread. */
  final ServerCall<?, ?> nextQueued() {
    return nextQueued;
  }

  /** Queues a call behind this one; what was written to it before is seen by who takes it. */
  final void linkQueued(ServerCall<?, ?> call) {
    NEXT_QUEUED.setRelease(this, call);
  }

  /** Claims the right to push this entry; false if it is in the outbox already. Any thread. */
  final boolean claimOffer() {
    return !offered && OFFERED.compareAndSet(this, false, true);
  }

  /** From here on it may be offered again. Loop-confined. */
  final void releaseOffer() {
    OFFERED.setVolatile(this, false);
  }

  /** The connection whose output this entry adds to. */
  public abstract Transport transport();

  /** Does what it was offered for, within a burst of its connection. Loop-confined. */
  protected abstract void runOnLoop();

  /** Runs the entry, within a burst of its connection. Loop-confined. */
  public final void run() {
    releaseOffer();
    runOnLoop();
  }

  /** The entry after this one in the list from {@link Outbox#takeAll}. Loop-confined. */
  public final OutboxEntry next() {
    return next;
  }

  /** Links entries into a list of the loop's own, once taken. Loop-confined. */
  public final void next(OutboxEntry entry) {
    this.next = entry;
  }
}
