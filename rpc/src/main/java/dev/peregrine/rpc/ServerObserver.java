package dev.peregrine.rpc;

/**
 * Hears of calls, for metrics and logs. Called on event loops: must not block. What it throws is
 * logged and dropped.
 */
public interface ServerObserver {

  /** A call of a method that exists begins. */
  default void callStarted(Context context) {}

  /**
   * A call has ended: exactly once each, on every path, also for calls that were refused and for
   * methods that do not exist.
   */
  default void callEnded(CallEnd end) {}
}
