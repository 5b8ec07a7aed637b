package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Requests;
import dev.peregrine.rpc.Responses;
import dev.peregrine.rpc.Status;
import java.util.Objects;

/**
 * The streams of a handler in blocking style. {@link Requests} and {@link Responses} are for the
 * handler thread; the rest as {@link CallStreams} says.
 */
final class BlockingStreams<Q, R> implements CallStreams<Q>, Requests<Q>, Responses<R> {

  private final ServerCall<Q, R> call;
  private final RequestQueue<Q> requests = new RequestQueue<>();
  private final ResponseQueue responses;
  private final ReceiveCredit credit;

  // Crossing.
  private volatile Status outcome;
  private volatile Status cancelReason;

  BlockingStreams(ServerCall<Q, R> call) {
    this.call = call;
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
  }

  @Override
  public void onRequestEnd() {
    requests.close(Status.OK);
  }

  @Override
  public void onArrival(int bytes) {
    credit.arrived(bytes);
  }

  @Override
  public void onWritable() {
    responses.account(call, 0);
  }

  @Override
  public void onCancel(Status reason) {
    cancelReason = reason;
    requests.close(reason);
    requests.drop();
    call.forgetRequestUnlessRunning();
    responses.wake();
  }

  @Override
  public void runOnLoop() {
    Status ended = outcome;
    if (call.ended()) {
      if (ended != null) {
        call.handlerReturned();
      }
      return;
    }
    credit.giveBack();
    responses.drain(call);
    if (ended != null) {
      call.handlerReturned();
      call.end(ended);
    }
  }

  @Override
  public void start() {
    call.head.dispatch().add(call);
  }

  // ---- Handler.

  @Override
  @SuppressWarnings("unchecked") // the handler was bound to a method of these types
  public void runHandler() {
    Status result = Status.OK;
    call.enter();
    try {
      if (!call.isCancelled()) {
        call.refuseIfStale();
        ((Handler.Streaming<Q, R>) call.head.bound().handler()).handle(this, this, call);
      }
    } catch (Throwable t) {
      result = call.fault(t);
    }
    call.leave();
    outcome = result;
    call.offer();
  }

  @Override
  public Q next() {
    Q message = requests.take();
    if (credit.isDue()) {
      call.offer();
    }
    return message;
  }

  @Override
  public void send(R message) {
    Objects.requireNonNull(message, "message");
    failIfOver();
    byte[] encoded = call.encode(message, call.checkedSize(message));
    call.fixHeaders();
    responses.put(encoded);
    call.offer();
    if (responses.isFull()) {
      responses.awaitRoom(call);
      failIfOver();
    }
  }

  private void failIfOver() {
    if (outcome != null) {
      throw new IllegalStateException("send after the handler has returned");
    }
    if (call.isCancelled()) {
      Status reason = cancelReason;
      throw (reason == null ? Status.CANCELLED : reason).exception();
    }
  }
}
