package dev.peregrine.rpc.protocol;

/** A task that is no call. What it does is the test's. */
final class FakeTask extends HandlerTask {

  private final Runnable action;

  FakeTask(Runnable action) {
    this.action = action;
  }

  @Override
  void runHandler() {
    action.run();
  }

  @Override
  void rejected(Throwable reason) {
    throw new AssertionError("rejected", reason);
  }
}
