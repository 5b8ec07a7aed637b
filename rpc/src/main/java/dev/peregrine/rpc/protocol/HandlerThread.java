package dev.peregrine.rpc.protocol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The thread that runs a handler, so that the end of a call can interrupt it, and nothing else that
 * thread does later. {@link #enter}, {@link #leave}: handler thread; {@link #interrupt}: any
 * thread.
 *
 * <pre>
 *   null --enter--> thread --leave--> null
 *                     |
 *                 interrupt
 *                     v
 *                INTERRUPTING --(interrupted)--> INTERRUPTED --leave--> null
 * </pre>
 */
abstract class HandlerThread extends OutboxEntry {

  private static final Object INTERRUPTING = new Object();
  private static final Object INTERRUPTED = new Object();

  private static final VarHandle RUNNER;

  static {
    try {
      RUNNER = MethodHandles.lookup().findVarHandle(HandlerThread.class, "runner", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile Object runner;

  /** The calling thread begins to run the handler. */
  final void enter() {
    // Volatile, not just released: whether the call has ended is looked at next, while its end
    // looks at this after it is known. One of the two must see the other.
    runner = Thread.currentThread();
  }

  /** Whether the handler runs now. Any thread. */
  final boolean hasEntered() {
    return runner != null;
  }

  /** The calling thread has run the handler; an interrupt meant for it does not outlive it. */
  final void leave() {
    if (!RUNNER.compareAndSet(this, Thread.currentThread(), (Object) null)) {
      while (runner == INTERRUPTING) {
        Thread.onSpinWait();
      }
      runner = null;
      Thread.interrupted();
    }
  }

  /** Interrupts the handler, if it runs. */
  final void interrupt() {
    Object thread = runner;
    if (thread instanceof Thread running && RUNNER.compareAndSet(this, thread, INTERRUPTING)) {
      running.interrupt();
      runner = INTERRUPTED;
    }
  }
}
