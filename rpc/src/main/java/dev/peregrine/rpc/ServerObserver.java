package dev.peregrine.rpc;

/**
 * Hears of connections, calls and limits, for metrics and logs. Called on event loops, several at
 * once: must not block. What it throws is logged and dropped.
 */
public interface ServerObserver {

  /** A call of a method that exists begins. */
  default void callStarted(Context context) {}

  /**
   * A call has ended: exactly once each, on every path, also for calls that were refused and for
   * methods that do not exist.
   */
  default void callEnded(CallEnd end) {}

  /**
   * A plain HTTP request that means no call was answered, or its client went away: exactly once
   * each.
   */
  default void httpEnded(HttpEnd end) {}

  /** A connection was accepted and admitted; {@link #connectionClosed} follows, once. */
  default void connectionOpened(ConnectionStart start) {}

  /** A connection has ended: exactly once for each that was opened. */
  default void connectionClosed(ConnectionEnd end) {}

  /** A limit has done its work: every time, while the log names it once for each connection. */
  default void limitReached(LimitReached event) {}
}
