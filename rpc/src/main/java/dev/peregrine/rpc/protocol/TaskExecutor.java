package dev.peregrine.rpc.protocol;

import java.util.concurrent.Executor;

/** Runs each call as a task of an executor: the user's, or one of virtual threads. */
final class TaskExecutor implements CallExecutor {

  private final Executor executor;

  TaskExecutor(Executor executor) {
    this.executor = executor;
  }

  @Override
  public void submit(HandlerTask first, HandlerTask last) {
    HandlerTask call = first;
    while (call != null) {
      HandlerTask next = call == last ? null : call.nextQueued();
      call.unlinkQueued();
      try {
        executor.execute(call::runHandler);
      } catch (Throwable e) {
        // RejectedExecutionException; OutOfMemoryError where no thread can be started; or an
        // executor that throws what it likes.
        call.rejected(e);
      }
      call = next;
    }
  }

  @Override
  public void close() {
    // The user's executor is the user's; one of virtual threads owns no thread that is idle.
  }
}
