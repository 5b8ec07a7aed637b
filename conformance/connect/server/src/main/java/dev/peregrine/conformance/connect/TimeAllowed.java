package dev.peregrine.conformance.connect;

import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.ContextKey;
import dev.peregrine.rpc.ServerObserver;

/**
 * Notes how much time each call was given. Asked when the call arrives: its handler may run much
 * later, on a machine that is busy, and the suite forgives half a second.
 */
final class TimeAllowed implements ServerObserver {

  private static final ContextKey<Long> NANOS = ContextKey.of("time allowed");

  @Override
  public void callStarted(Context context) {
    context.set(NANOS, context.remainingNanos());
  }

  /** The time given, or {@link Context#NO_DEADLINE}. */
  static long nanos(Context context) {
    return context.get(NANOS);
  }
}
