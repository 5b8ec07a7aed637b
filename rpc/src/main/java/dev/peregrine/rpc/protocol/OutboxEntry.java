package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.Transport;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Something that can be handed to an event loop. Offered by any thread, run by the loop. Intrusive:
 * it is its own list node, and may be offered again as soon as it runs.
 *
 * <p>What it is to do must be known from volatile fields, written before each offer: an offer of an
 * entry that is in the outbox already is a look and nothing more, so it publishes no plain field.
 */
public abstract class OutboxEntry extends HandlerTask {

  private static final VarHandle OFFERED;

  static {
    try {
      OFFERED = MethodHandles.lookup().findVarHandle(OutboxEntry.class, "offered", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The next entry of the list this one is in: the outbox's own, then a connection's. */
  OutboxEntry next;

  @SuppressWarnings("unused") // through OFFERED
  private volatile boolean offered;

  /** Claims the right to push this entry; false if it is in the outbox already. Any thread. */
  final boolean claimOffer() {
    return !offered && OFFERED.compareAndSet(this, false, true);
  }

  /** The connection whose output this entry adds to. */
  public abstract Transport transport();

  /** Does what it was offered for, within a burst of its connection. Loop-confined. */
  protected abstract void runOnLoop();

  /** Runs the entry, within a burst of its connection. Loop-confined. */
  public final void deliver() {
    // First, so that what is offered from here on is looked at again.
    OFFERED.setVolatile(this, false);
    runOnLoop();
  }

  /**
   * The entry after this one in the list from {@link Outbox#takeAll}: read it before {@link
   * #deliver}, which lets other threads offer this one again. Loop-confined.
   */
  public final OutboxEntry next() {
    return next;
  }

  /** Links entries into a list of the loop's own, once taken. Loop-confined. */
  public final void next(OutboxEntry entry) {
    this.next = entry;
  }
}
