package dev.peregrine.rpc.protocol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Something that runs on a handler thread. Intrusive: it is its own node in a burst's list, then in
 * a pool's queue, and must be queued only once.
 */
abstract class HandlerTask {

  private static final VarHandle NEXT_QUEUED;

  static {
    try {
      NEXT_QUEUED =
          MethodHandles.lookup().findVarHandle(HandlerTask.class, "nextQueued", HandlerTask.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile HandlerTask nextQueued;

  /** The task queued behind this one, or {@code null}. Any thread. */
  final HandlerTask nextQueued() {
    return nextQueued;
  }

  /** Queues a task behind this one; what was written to it before is seen by who takes it. */
  final void linkQueued(HandlerTask task) {
    NEXT_QUEUED.setRelease(this, task);
  }

  /** The same, done before anything the caller reads next. */
  final void linkQueuedBeforeReads(HandlerTask task) {
    nextQueued = task;
  }

  /**
   * Forgets the task behind this one, once that was taken. A task that lives long would otherwise
   * keep every later one from being collected.
   */
  final void unlinkQueued() {
    NEXT_QUEUED.setRelease(this, (HandlerTask) null);
  }

  /** Runs. Handler thread. Never throws. */
  abstract void runHandler();

  /** An executor refused the task: it will not run. Loop-confined. */
  abstract void rejected(Throwable reason);
}
