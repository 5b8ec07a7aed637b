package dev.peregrine.conformance.soak;

import dev.peregrine.rpc.CallEnd;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.ServerObserver;
import java.util.concurrent.atomic.LongAdder;

/** Counts the beginnings and ends of calls. Any thread. */
final class CallCounts implements ServerObserver {

  private final LongAdder started = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private final LongAdder refused = new LongAdder();

  @Override
  public void callStarted(Context context) {
    started.increment();
  }

  @Override
  public void callEnded(CallEnd end) {
    (end.context() == null ? refused : ended).increment();
  }

  long started() {
    return started.sum();
  }

  long open() {
    return started.sum() - ended.sum();
  }

  long refused() {
    return refused.sum();
  }
}
