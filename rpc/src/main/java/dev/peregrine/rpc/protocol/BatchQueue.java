package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The waiting calls of a unary method whose handler answers many at once. Any thread.
 *
 * <p>Batches are as large as what is waiting when a run begins: no call waits for company. A run
 * that leaves calls behind has another one scheduled before its handler begins.
 */
final class BatchQueue<Q, R> {

  private final Handler.UnaryBatch<Q, R> handler;
  private final int maxCalls;
  private final ConcurrentLinkedQueue<ServerCall<Q, R>> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  BatchQueue(Handler.UnaryBatch<Q, R> handler, int maxCalls) {
    this.handler = handler;
    this.maxCalls = maxCalls;
  }

  /**
   * Adds a call whose request is complete.
   *
   * @return the run to be scheduled, or {@code null} if one is already
   */
  HandlerTask add(ServerCall<Q, R> call) {
    waiting.add(call);
    return scheduled.compareAndSet(false, true) ? new Run(call.head.bound().executor()) : null;
  }

  /** Answers what is waiting. */
  private final class Run extends HandlerTask {
    private final CallExecutor executor;

    Run(CallExecutor executor) {
      this.executor = executor;
    }

    @Override
    void runHandler() {
      // Before the queue is looked at: a call added from here on schedules a run of its own.
      scheduled.set(false);
      List<ServerCall<Q, R>> calls = take();
      if (executor == null) {
        while (!calls.isEmpty()) {
          answer(calls);
          calls = take();
        }
        return;
      }
      if (!waiting.isEmpty() && scheduled.compareAndSet(false, true)) {
        Run next = new Run(executor);
        executor.submit(next, next);
      }
      if (!calls.isEmpty()) {
        answer(calls);
      }
    }

    @Override
    void rejected(Throwable reason) {
      scheduled.set(false);
      for (ServerCall<Q, R> call = waiting.poll(); call != null; call = waiting.poll()) {
        call.finish(Status.UNAVAILABLE.withMessage("the server takes no more calls"), null);
      }
    }
  }

  private List<ServerCall<Q, R>> take() {
    List<ServerCall<Q, R>> calls = new ArrayList<>();
    while (calls.size() < maxCalls) {
      ServerCall<Q, R> call = waiting.poll();
      if (call == null) {
        break;
      }
      calls.add(call);
    }
    return calls;
  }

  private void answer(List<ServerCall<Q, R>> calls) {
    List<Q> requests = new ArrayList<>(calls.size());
    List<Context> contexts = new ArrayList<>(calls.size());
    for (ServerCall<Q, R> call : calls) {
      requests.add(call.request());
      contexts.add(call);
    }
    List<R> responses;
    try {
      responses = handler.handle(requests, contexts);
      if (responses.size() != calls.size()) {
        throw new IllegalStateException(
            responses.size() + " responses for a batch of " + calls.size() + " calls");
      }
    } catch (Throwable t) {
      fail(calls, t);
      return;
    }
    for (int i = 0; i < calls.size(); i++) {
      calls.get(i).finish(Status.OK, responses.get(i));
    }
  }

  /** One fault fails the batch, so it is logged once, by the first call that somebody waits for. */
  private void fail(List<ServerCall<Q, R>> calls, Throwable fault) {
    boolean logged = false;
    for (ServerCall<Q, R> call : calls) {
      if (!logged && call.isToLog(fault)) {
        call.complain("handler", fault);
        logged = true;
      }
      call.finish(call.statusOf(fault), null);
    }
  }
}
