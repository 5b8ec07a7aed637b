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
  private static final int SLOTS = 1024;

  private static final int MASK = SLOTS - 1;

  /** A place in the wheel. */
  static final class Timer {
    private final ServerCall<?, ?> call;
    private final long tick;
    private Timer previous;
    private Timer next;

    private Timer(ServerCall<?, ?> call, long tick) {
      this.call = call;
      this.tick = tick;
    }
  }

  private final long startNanos;
  private Timer[] slots;
  private long currentTick;
  private int size;

  /** An empty wheel. */
  public Deadlines(long nowNanos) {
    this.startNanos = nowNanos;
  }

  /** Arms a timer; the call hears of it through {@link ServerCall#deadlinePassed}. */
  Timer add(ServerCall<?, ?> call, long deadlineNanos) {
    if (slots == null) {
      slots = new Timer[SLOTS];
    }
    // Rounded up: never early. A deadline so far away that it overflows is never reached.
    long ahead = Math.max(0, deadlineNanos - startNanos);
    long tick = Math.max((ahead >>> TICK_SHIFT) + 1, currentTick + 1);
    Timer timer = new Timer(call, tick);
    int slot = (int) tick & MASK;
    timer.next = slots[slot];
    if (timer.next != null) {
      timer.next.previous = timer;
    }
    slots[slot] = timer;
    size++;
    return timer;
  }

  /** Disarms a timer which has not fired. */
  void remove(Timer timer) {
    if (timer.previous != null) {
      timer.previous.next = timer.next;
    } else {
      slots[(int) timer.tick & MASK] = timer.next;
    }
    if (timer.next != null) {
      timer.next.previous = timer.previous;
    }
    timer.previous = null;
    timer.next = null;
    size--;
  }

  /** When to call {@link #expire} next, or {@link Long#MAX_VALUE} while no timer is armed. */
  public long nextNanos() {
    return size == 0 ? Long.MAX_VALUE : startNanos + ((nextOccupiedTick() + 1) << TICK_SHIFT);
  }

  /** Looks ahead one turn at most: beyond that, waking once per turn costs nothing. */
  private long nextOccupiedTick() {
    for (long tick = currentTick + 1; tick < currentTick + SLOTS; tick++) {
      if (slots[(int) tick & MASK] != null) {
        return tick - 1;
      }
    }
    return currentTick + SLOTS - 1;
  }

  /** Fires every deadline that has passed. A call may add or remove timers meanwhile. */
  public void expire(long nowNanos) {
    long nowTick = (nowNanos - startNanos) >>> TICK_SHIFT;
    if (size == 0) {
      currentTick = nowTick;
      return;
    }
    long last = Math.min(nowTick, currentTick + SLOTS);
    for (long tick = currentTick + 1; tick <= last; tick++) {
      expireSlot((int) tick & MASK, nowTick);
    }
    currentTick = nowTick;
  }

  private void expireSlot(int slot, long nowTick) {
    Timer timer = slots[slot];
    while (timer != null) {
      Timer following = timer.next;
      if (timer.tick <= nowTick) {
        remove(timer);
        timer.call.deadlinePassed();
        // The call may have changed the list: begin anew, what is left is not due.
        following = slots[slot];
        while (following != null && following.tick > nowTick) {
          following = following.next;
        }
      }
      timer = following;
    }
  }
}
