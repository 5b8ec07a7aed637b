package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Status;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * The streams of a handler in event-driven style. {@link Call}: any thread; {@link #runHandler}:
 * one thread at a time, the loop itself if the method is inline; the rest as {@link CallStreams}
 * says.
 *
 * <p>What is to be told is kept as flags and a queue of messages, never as a queue of callbacks. A
 * run tells everything there is to tell:
 *
 * <pre>
 *   IDLE --schedule--> SCHEDULED --run--> RUNNING --nothing new--> IDLE
 *                                         |    ^
 *                                  schedule    | run again
 *                                         v    |
 *                                         AGAIN
 * </pre>
 */
final class EventDrivenStreams<Q, R> implements CallStreams<Q>, Call<R> {

  private static final int IDLE = 0;
  private static final int SCHEDULED = 1;
  private static final int RUNNING = 2;
  private static final int AGAIN = 3;

  private static final VarHandle STATE;
  private static final VarHandle PERMITS;
  private static final VarHandle CLOSING;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(EventDrivenStreams.class, "state", int.class);
      PERMITS = lookup.findVarHandle(EventDrivenStreams.class, "permits", int.class);
      CLOSING = lookup.findVarHandle(EventDrivenStreams.class, "closing", Status.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ServerCall<Q, R> call;
  private final Handler.EventDriven<Q, R> handler;
  private final RequestQueue<Q> requests = new RequestQueue<>();
  private final ResponseQueue responses;
  private final ReceiveCredit credit;

  // Loop.
  private boolean runningOnLoop;

  // The run.
  private CallListener<Q> listener;
  private boolean halfCloseTold;
  private boolean cancelTold;

  // Crossing.
  private volatile int state = IDLE;
  private volatile int permits = 1;
  private volatile boolean runWanted;
  private volatile boolean readyToTell;
  private volatile Status closing;
  private volatile Status cancelled;

  EventDrivenStreams(ServerCall<Q, R> call, Handler.EventDriven<Q, R> handler) {
    this.call = call;
    this.handler = handler;
    this.responses =
        new ResponseQueue(
            call.head.router().loop(), call.head.bound().limits().maxQueuedResponseBytes());
    this.credit =
        new ReceiveCredit(call, requests, call.head.bound().limits().maxQueuedRequestBytes());
  }

  // ---- Loop.

  @Override
  public void onMessage(Q message, int bytes) {
    requests.put(message, bytes);
    schedule();
  }

  @Override
  public void onArrival(int bytes) {
    credit.arrived(bytes);
  }

  @Override
  public void onRequestEnd() {
    requests.close(Status.OK);
    schedule();
  }

  @Override
  public void onWritable() {
    if (responses.account(call, 0)) {
      readyToTell = true;
      schedule();
    }
  }

  @Override
  public void onCancel(Status reason) {
    cancelled = reason;
    requests.drop();
    schedule();
  }

  @Override
  public void start() {
    schedule();
  }

  @Override
  public void runOnLoop() {
    if (call.ended()) {
      call.handlerReturned();
      if (runWanted) {
        schedule();
      }
      return;
    }
    // Before the drain: what was sent before the end is in the queue once the end is seen.
    Status status = closing;
    credit.giveBack();
    if (responses.drain(call)) {
      readyToTell = true;
      runWanted = true;
    }
    if (status != null) {
      call.handlerReturned();
      call.end(status);
    }
    if (runWanted) {
      schedule();
    }
  }

  /** Has a run tell what is new. */
  private void schedule() {
    runWanted = false;
    while (true) {
      int now = state;
      if (now == IDLE && STATE.compareAndSet(this, IDLE, SCHEDULED)) {
        submit();
        return;
      }
      if (now == SCHEDULED
          || now == AGAIN
          || (now == RUNNING && STATE.compareAndSet(this, RUNNING, AGAIN))) {
        return;
      }
    }
  }

  private void submit() {
    Dispatch dispatch = call.head.dispatch();
    if (dispatch == null) {
      runHandler();
    } else {
      dispatch.add(new Run(this));
    }
  }

  /** A run on its way to a handler thread. */
  private static final class Run extends HandlerTask {
    private final EventDrivenStreams<?, ?> streams;

    Run(EventDrivenStreams<?, ?> streams) {
      this.streams = streams;
    }

    @Override
    void runHandler() {
      streams.runHandler();
    }

    @Override
    void rejected(Throwable reason) {
      streams.call.rejected(reason);
    }
  }

  // ---- The run.

  @Override
  public void runHandler() {
    boolean onLoop = call.head.dispatch() == null;
    runningOnLoop = onLoop;
    do {
      STATE.setVolatile(this, RUNNING);
      try {
        tellAll();
      } catch (Throwable t) {
        close(call.fault(t));
      }
    } while (!STATE.compareAndSet(this, RUNNING, IDLE));
    if (onLoop) {
      runningOnLoop = false;
      runOnLoop();
    } else if (credit.isDue() || call.isCancelled()) {
      // A cancelled call holds its place in the queue until the loop hears that it was told.
      call.offer();
    }
  }

  private void tellAll() throws Exception {
    if (listener == null && closing == null && cancelled == null) {
      call.refuseIfStale();
      listener = Objects.requireNonNull(handler.start(this), "the handler's listener");
    }
    while (listener != null && closing == null) {
      if (cancelled != null) {
        tellCancel();
        return;
      }
      if (readyToTell) {
        readyToTell = false;
        listener.onReady();
        continue;
      }
      if (permits > 0) {
        Q message = requests.poll();
        if (message != null) {
          PERMITS.getAndAdd(this, -1);
          listener.onMessage(message);
          continue;
        }
      }
      if (requests.isFinished() && !halfCloseTold) {
        if (cancelled != null) {
          continue; // what is not there any more was dropped, not taken
        }
        halfCloseTold = true;
        listener.onHalfClose();
        continue;
      }
      return;
    }
  }

  private void tellCancel() {
    if (!cancelTold) {
      cancelTold = true;
      listener.onCancel(cancelled);
    }
  }

  // ---- Call: any thread.

  @Override
  public Context context() {
    return call;
  }

  @Override
  public void send(R message) {
    Objects.requireNonNull(message, "message");
    if (closing != null) {
      throw new IllegalStateException("send after close");
    }
    if (call.isCancelled()) {
      return;
    }
    if (inOwnBurst() && responses.isEmpty()) {
      call.sendNow(message);
      // Counted in one step, so that a message which left at once was never in the way; and what
      // left meanwhile may have made room, of which the engine will say nothing.
      if (responses.account(call, 0)) {
        readyToTell = true;
      }
    } else {
      byte[] encoded = call.encode(message, call.checkedSize(message));
      call.fixHeaders();
      responses.put(encoded);
      offerUnlessInBurst();
    }
  }

  /** Whether the loop is telling this very call something: then its output is open. */
  private boolean inOwnBurst() {
    return call.head.dispatch() == null && call.head.router().loop().inLoop() && runningOnLoop;
  }

  private void offerUnlessInBurst() {
    if (!inOwnBurst()) {
      call.offer();
    }
  }

  @Override
  public boolean ready() {
    return !responses.isFull() && closing == null && !call.isCancelled();
  }

  @Override
  public void request(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("request(" + count + "): at least 1 is needed");
    }
    PERMITS.getAndAdd(this, count);
    if (!inOwnBurst()) {
      runWanted = true;
      call.offer();
    }
  }

  @Override
  public void close(Status status) {
    Objects.requireNonNull(status, "status");
    if (CLOSING.compareAndSet(this, (Status) null, status)) {
      offerUnlessInBurst();
    }
  }
}
