package dev.peregrine.rpc.protocol;

import java.util.concurrent.atomic.AtomicInteger;

/** A task that counts its runs. */
final class StressTask extends HandlerTask {

  private final AtomicInteger runs = new AtomicInteger();

  /** How often it ran. */
  int runs() {
    return runs.get();
  }

  @Override
  void runHandler() {
    runs.incrementAndGet();
  }

  @Override
  void rejected(Throwable reason) {
    throw new IllegalStateException("rejected", reason);
  }
}
