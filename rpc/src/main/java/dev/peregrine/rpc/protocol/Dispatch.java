package dev.peregrine.rpc.protocol;

/**
 * One loop's way to one execution: gathers the calls of a burst, so that they are handed over
 * together, and counts those that wait or run. Loop-confined.
 */
final class Dispatch {

  /** Hand over at the latest after so many calls, so that workers do not idle in a long burst. */
  private static final int BATCH_CALLS = 64;

  private final CallExecutor executor;
  private final int limitCalls;
  private HandlerTask first;
  private HandlerTask last;
  private int gathered;
  private int outstanding;

  Dispatch(CallExecutor executor, int limitCalls) {
    this.executor = executor;
    this.limitCalls = limitCalls;
  }

  /** Takes a place for one more call; false if there is none. */
  boolean admit() {
    if (outstanding >= limitCalls) {
      return false;
    }
    outstanding++;
    return true;
  }

  /** Gives the place of a call back: its handler has returned, or never ran. */
  void release() {
    outstanding--;
  }

  /** Gathers a call whose handler can run. */
  void add(HandlerTask call) {
    if (last == null) {
      first = call;
    } else {
      last.linkQueued(call);
    }
    last = call;
    if (++gathered >= BATCH_CALLS) {
      handOver();
    }
  }

  /** Hands over what was gathered. */
  void handOver() {
    if (first == null) {
      return;
    }
    HandlerTask head = first;
    HandlerTask tail = last;
    first = null;
    last = null;
    gathered = 0;
    executor.submit(head, tail);
  }
}
