package dev.peregrine.rpc.protocol;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** An executor that runs nothing until the test says so, on the test's thread. */
final class HeldTasks implements Executor {

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private Throwable next;

  /** Has the next task refused; {@code refusal} is a RuntimeException or an Error. */
  void refuse(Throwable refusal) {
    next = refusal;
  }

  @Override
  public void execute(Runnable task) {
    Throwable refusal = next;
    next = null;
    if (refusal instanceof Error error) {
      throw error;
    } else if (refusal != null) {
      throw (RuntimeException) refusal;
    }
    tasks.add(task);
  }

  /** How many tasks wait. */
  int size() {
    return tasks.size();
  }

  /** Runs what waits, and what comes meanwhile. */
  void run() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }
}
