package dev.peregrine.rpc.protocol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that run handlers, one call at a time from one queue. {@link #submit}: any thread.
 *
 * <p>A batch of calls is appended with one atomic exchange and wakes one worker. A worker that
 * takes a call and sees another one waiting wakes the next worker before it runs its own, so that a
 * handler that blocks never holds back its neighbours while a worker is free.
 */
final class WorkerPool implements CallExecutor {

  private static final VarHandle TAIL;
  private static final VarHandle HEAD;
  private static final VarHandle IDLE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      TAIL = lookup.findVarHandle(WorkerPool.class, "tail", HandlerTask.class);
      HEAD = lookup.findVarHandle(WorkerPool.class, "head", HandlerTask.class);
      IDLE = lookup.findVarHandle(WorkerPool.class, "idle", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // A queue of linked calls. head is the call taken last: the one after it is the next to take.
  // Producers exchange the tail and then link, so the list may be open for a moment behind a call;
  // the producer that closes it wakes a worker afterwards, so nothing is overlooked.
  private volatile HandlerTask head;

  @SuppressWarnings("UnusedVariable") // through TAIL
  private volatile HandlerTask tail;

  private volatile int idle;
  private volatile boolean closed;
  private final Worker[] workers;

  WorkerPool(int threads, String name) {
    HandlerTask sentinel = new Sentinel();
    head = sentinel;
    tail = sentinel;
    workers = new Worker[threads];
    for (int i = 0; i < threads; i++) {
      workers[i] = new Worker(name + "-" + i);
    }
  }

  /** Starts the threads. */
  WorkerPool start() {
    for (Worker worker : workers) {
      worker.start();
    }
    return this;
  }

  @Override
  public void submit(HandlerTask first, HandlerTask last) {
    HandlerTask previous = (HandlerTask) TAIL.getAndSet(this, last);
    // A worker that goes idle counts itself, then looks for a task. Here a task is linked, then
    // idle workers are looked for. Each must be done before its look, or both miss the other.
    previous.linkQueuedBeforeReads(first);
    wakeOne();
  }

  @Override
  public void close() {
    closed = true;
    for (Worker worker : workers) {
      LockSupport.unpark(worker);
    }
  }

  private void wakeOne() {
    if (idle == 0) {
      return;
    }
    for (Worker worker : workers) {
      if (worker.claimWake()) {
        IDLE.getAndAdd(this, -1);
        LockSupport.unpark(worker);
        return;
      }
    }
  }

  private HandlerTask poll() {
    while (true) {
      HandlerTask taken = head;
      HandlerTask next = taken.nextQueued();
      if (next == null) {
        if (head == taken) {
          return null;
        }
        // Another worker has moved on, and unlinked the one behind.
      } else if (HEAD.compareAndSet(this, taken, next)) {
        taken.unlinkQueued();
        return next;
      }
    }
  }

  /**
   * Puts something in the place of the call taken last, which would otherwise be kept, with its
   * request and its connection, until there is another one.
   */
  private void forgetLast() {
    HandlerTask sentinel = new Sentinel();
    HandlerTask previous = (HandlerTask) TAIL.getAndSet(this, sentinel);
    // Nobody is woken for it. What comes behind it meanwhile is found by the caller, which polls.
    previous.linkQueuedBeforeReads(sentinel);
  }

  private boolean hasWork() {
    return head.nextQueued() != null;
  }

  /** What stands before the first task, while nothing else was taken. */
  private static final class Sentinel extends HandlerTask {
    @Override
    void runHandler() {}

    @Override
    void rejected(Throwable reason) {}
  }

  /** One thread. */
  private final class Worker extends Thread {

    private static final int RUNNING = 0;
    private static final int IDLE_STATE = 1;

    private static final VarHandle STATE;

    static {
      try {
        STATE = MethodHandles.lookup().findVarHandle(Worker.class, "state", int.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    @SuppressWarnings("unused") // through STATE
    private volatile int state;

    /** Made beforehand: the fault may be that there is no memory left. */
    private final String faultLine;

    Worker(String name) {
      super(name);
      faultLine = "a fault in " + name + "; it goes on";
      setDaemon(true);
    }

    /** Whether this worker was idle and now is the caller's to wake. */
    boolean claimWake() {
      return state == IDLE_STATE && STATE.compareAndSet(this, IDLE_STATE, RUNNING);
    }

    @Override
    public void run() {
      while (true) {
        HandlerTask call = poll();
        if (call != null) {
          if (idle != 0 && hasWork()) {
            wakeOne();
          }
          run(call);
        } else if (closed) {
          return;
        } else if (head instanceof Sentinel) {
          awaitWork();
        } else {
          forgetLast();
        }
      }
    }

    private void run(HandlerTask call) {
      // What one handler did to its thread is not for the next.
      Thread.interrupted();
      try {
        call.runHandler();
      } catch (Throwable t) {
        // Not meant to happen; but a thread less for every time it does would be worse.
        FaultLog.thread(faultLine, t);
      }
    }

    private void awaitWork() {
      STATE.setVolatile(this, IDLE_STATE);
      IDLE.getAndAdd(WorkerPool.this, 1);
      while (state == IDLE_STATE) {
        // Looked at after this worker was declared idle: a batch linked before that is seen here, a
        // later one finds it idle.
        if (hasWork() || closed) {
          if (claimWake()) {
            IDLE.getAndAdd(WorkerPool.this, -1);
          }
          return;
        }
        LockSupport.park(WorkerPool.this);
        // A stray interrupt must not make park return at once for ever.
        Thread.interrupted();
      }
    }
  }
}
