package dev.peregrine.services;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** What a grpc-java client is told in one call. Any thread. */
final class Told<T> {

  private static final int TIMEOUT_SECONDS = 20;

  private final BlockingQueue<T> messages = new LinkedBlockingQueue<>();
  private final CompletableFuture<Status> end = new CompletableFuture<>();
  private volatile ClientCallStreamObserver<?> call;

  /** The observer to start the call with. */
  <Q, R> ClientResponseObserver<Q, R> by(Function<R, T> told) {
    return new ClientResponseObserver<>() {
      @Override
      public void beforeStart(ClientCallStreamObserver<Q> stream) {
        call = stream;
      }

      @Override
      public void onNext(R message) {
        messages.add(told.apply(message));
      }

      @Override
      public void onError(Throwable t) {
        end.complete(Status.fromThrowable(t));
      }

      @Override
      public void onCompleted() {
        end.complete(Status.OK);
      }
    };
  }

  /** The next message. */
  T next() throws InterruptedException {
    T message = messages.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    if (message == null) {
      throw new AssertionError("nothing was told; the call ended with " + end.getNow(null));
    }
    return message;
  }

  /** How the call ended, if nothing was told before that {@link #next} has not taken. */
  Status end() throws Exception {
    Status status = end.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    if (!messages.isEmpty()) {
      throw new AssertionError("told as well: " + messages);
    }
    return status;
  }

  /** The client loses interest. */
  void cancel() {
    call.cancel("no interest any more", null);
  }
}
