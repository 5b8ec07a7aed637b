package dev.peregrine.rpc.protocol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The one way from handler threads to an event loop. {@link #offer}: any thread; the rest:
 * loop-confined.
 *
 * <pre>
 *            offer: first entry                takeAll
 *   EMPTY ----------------------> SCHEDULED ------------> EMPTY
 *             and wakes                ^  |
 *                                      +--+ offer: no wake, the loop is coming
 * </pre>
 *
 * The state is the head of a stack: {@code null} is EMPTY. Only the offer that leaves EMPTY wakes
 * the loop. No wake-up is lost: a loop looks here once more after it has declared that it is about
 * to sleep, and an offer looks at that declaration after it has pushed.
 */
public final class Outbox {

  private static final VarHandle HEAD;

  static {
    try {
      HEAD = MethodHandles.lookup().findVarHandle(Outbox.class, "head", OutboxEntry.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Runnable wake;

  private volatile OutboxEntry head;

  /**
   * An empty outbox.
   *
   * @param wake makes the loop run if it sleeps; must cost next to nothing if it is awake
   */
  public Outbox(Runnable wake) {
    this.wake = wake;
  }

  /** Hands an entry to the loop; a no-op while it is in here already. Any thread. */
  public void offer(OutboxEntry entry) {
    if (!entry.claimOffer()) {
      return;
    }
    OutboxEntry old;
    do {
      old = head;
      entry.next = old;
    } while (!HEAD.compareAndSet(this, old, entry));
    if (old == null) {
      wake.run();
    }
  }

  /** Whether nothing was offered since {@link #takeAll}. */
  public boolean isEmpty() {
    return head == null;
  }

  /**
   * Takes every entry, oldest first, linked by {@link OutboxEntry#next()}; {@code null} if there is
   * none.
   */
  public OutboxEntry takeAll() {
    if (head == null) {
      return null;
    }
    OutboxEntry newest = (OutboxEntry) HEAD.getAndSet(this, (OutboxEntry) null);
    OutboxEntry reversed = null;
    while (newest != null) {
      OutboxEntry older = newest.next;
      newest.next = reversed;
      reversed = newest;
      newest = older;
    }
    return reversed;
  }
}
