package dev.peregrine.rpc.protocol;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two loops submit to one pool, one of them a batch of two, while its workers fall asleep and wake.
 * Results: how often each task ran; −1 for one that did not in time.
 */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "Each ran once.")
@Outcome(expect = FORBIDDEN, desc = "Lost, doubled, or asleep with a task waiting.")
@State
public class WorkerPoolStress {

  private static final long TIME_LIMIT_NANOS = 20_000_000_000L;

  private static final WorkerPool POOL = new WorkerPool(2, "stress").start();

  private final StressTask first = new StressTask();
  private final StressTask second = new StressTask();
  private final StressTask third = new StressTask();

  @Actor
  public void oneLoop() {
    first.linkQueued(second);
    POOL.submit(first, second);
  }

  @Actor
  public void otherLoop() {
    POOL.submit(third, third);
  }

  @Arbiter
  public void judge(III_Result result) {
    long latest = System.nanoTime() + TIME_LIMIT_NANOS;
    result.r1 = runs(first, latest);
    result.r2 = runs(second, latest);
    result.r3 = runs(third, latest);
  }

  private static int runs(StressTask task, long latest) {
    while (task.runs() == 0) {
      if (System.nanoTime() - latest > 0) {
        return -1;
      }
      Thread.onSpinWait();
    }
    return task.runs();
  }
}
