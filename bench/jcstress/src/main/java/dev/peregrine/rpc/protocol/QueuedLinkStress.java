package dev.peregrine.rpc.protocol;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The two looks of WorkerPool: a loop links a task and looks for idle workers; a worker counts
 * itself idle and looks for a task. Results: whether each has seen the other.
 */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Both have seen the other.")
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "The loop wakes the worker.")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "The worker takes the task.")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "The task waits, the worker sleeps.")
@State
public class QueuedLinkStress {

  private final HandlerTask head = new StressTask();
  private final HandlerTask task = new StressTask();
  private final AtomicInteger idle = new AtomicInteger();

  @Actor
  public void loop(ZZ_Result result) {
    head.linkQueuedBeforeReads(task);
    result.r1 = idle.get() != 0;
  }

  @Actor
  public void worker(ZZ_Result result) {
    idle.getAndAdd(1);
    result.r2 = head.nextQueued() != null;
  }
}
