package dev.peregrine.rpc.protocol;

/**
 * A hashed timer wheel: the deadlines of one loop's calls. Loop-confined; time is passed in.
 *
 * <p>Most deadlines never pass, so adding and removing one must be cheap and exactness is not
 * needed: a deadline fires up to one tick late, never early.
 */
public final class Deadlines {

  /** 4.2 ms: finer than what anybody sets as a deadline between two machines. */
  static final int TICK_SHIFT = 22;

  /** One turn of the wheel takes 4.3 s, so that the usual deadline stays in its slot once. */
  static final int SLOTS = 1024;

  private static final int MASK = SLOTS - 1;

  /** Behind the slots of the wheel: those that have passed and are about to be told. */
  private static final int DUE = SLOTS;

  /** Hears that its deadline has passed. */
  interface Listener {

    /** The deadline has passed. It may add and remove timers. Loop-confined. */
    void deadlinePassed();
  }

  /** A place in the wheel. */
  static final class Timer {
    private final Listener listener;
    private final long tick;
    private int slot;
    private Timer previous;
    private Timer next;

    private Timer(Listener listener, long tick) {
      this.listener = listener;
      this.tick = tick;
    }
  }

  private final long startNanos;
  private Timer[] slots;
  private long currentTick;
  private int size;

  /** No timer is due before this tick. */
  private long earliestTick;

  /** An empty wheel. */
  public Deadlines(long nowNanos) {
    this.startNanos = nowNanos;
  }

  /** Arms a timer. */
  Timer add(Listener listener, long deadlineNanos) {
    if (slots == null) {
      slots = new Timer[SLOTS + 1];
    }
    // Rounded up: never early. A deadline so far away that it overflows is never reached.
    long ahead = Math.max(0, deadlineNanos - startNanos);
    long tick = Math.max((ahead >>> TICK_SHIFT) + 1, currentTick + 1);
    Timer timer = new Timer(listener, tick);
    link(timer, (int) tick & MASK);
    earliestTick = size == 0 ? tick : Math.min(earliestTick, tick);
    size++;
    return timer;
  }

  /** Disarms a timer which has not fired. */
  void remove(Timer timer) {
    unlink(timer);
    size--;
  }

  private void link(Timer timer, int slot) {
    timer.slot = slot;
    timer.previous = null;
    timer.next = slots[slot];
    if (timer.next != null) {
      timer.next.previous = timer;
    }
    slots[slot] = timer;
  }

  private void unlink(Timer timer) {
    if (timer.previous != null) {
      timer.previous.next = timer.next;
    } else {
      slots[timer.slot] = timer.next;
    }
    if (timer.next != null) {
      timer.next.previous = timer.previous;
    }
    timer.previous = null;
    timer.next = null;
  }

  /**
   * When to call {@link #expire} next, or {@link Long#MAX_VALUE} while no timer is armed. It may be
   * before the first deadline, for one that was removed.
   */
  public long nextNanos() {
    if (size == 0) {
      return Long.MAX_VALUE;
    }
    if (earliestTick <= currentTick) {
      earliestTick = nextOccupiedTick();
    }
    return startNanos + (earliestTick << TICK_SHIFT);
  }

  /** Looks ahead one turn at most: beyond that, waking once per turn costs nothing. */
  private long nextOccupiedTick() {
    long tick = currentTick + 1;
    while (tick < currentTick + SLOTS && slots[(int) tick & MASK] == null) {
      tick++;
    }
    return tick;
  }

  /** Fires every deadline that has passed. */
  public void expire(long nowNanos) {
    long last = currentTick;
    // First of all, so that a timer added meanwhile is for a tick that is still to come.
    currentTick = Math.max(last, (nowNanos - startNanos) >> TICK_SHIFT);
    if (size == 0) {
      return;
    }
    for (long tick = last + 1; tick <= Math.min(currentTick, last + SLOTS); tick++) {
      collect((int) tick & MASK);
    }
    for (Timer timer = slots[DUE]; timer != null; timer = slots[DUE]) {
      remove(timer);
      timer.listener.deadlinePassed();
    }
  }

  /**
   * Sets the due timers of a slot apart before the first is told: the list may then change, and
   * those not due are looked at once only, however many are due.
   */
  private void collect(int slot) {
    Timer timer = slots[slot];
    while (timer != null) {
      Timer following = timer.next;
      if (timer.tick <= currentTick) {
        unlink(timer);
        link(timer, DUE);
      }
      timer = following;
    }
  }
}
