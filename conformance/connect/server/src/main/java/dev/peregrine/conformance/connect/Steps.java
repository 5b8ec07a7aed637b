package dev.peregrine.conformance.connect;

import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What an event-driven call does, one step after the other, some of them after a delay. Steps are
 * added by the listener, which is told one thing at a time, or by the last step.
 *
 * <p>A step without a delay runs at once if nothing waits before it: then responses are sent from
 * within the listener.
 */
final class Steps {

  private final Call<?> call;
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  Steps(Call<?> call) {
    this.call = call;
  }

  /** Adds a step. One that throws ends the call. */
  void then(long delayMillis, Runnable step) {
    CompletableFuture<Void> before =
        delayMillis == 0 ? last : last.thenCompose(done -> delay(delayMillis));
    CompletableFuture<Void> done = new CompletableFuture<>();
    // Before the step runs, as it may add another.
    last = done;
    var unused =
        before.thenRun(
            () -> {
              run(step);
              done.complete(null);
            });
  }

  private static CompletableFuture<Void> delay(long millis) {
    return CompletableFuture.runAsync(
        () -> {}, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS));
  }

  private void run(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      call.close(Status.INTERNAL.withMessage("a step failed: " + e));
    }
  }
}
