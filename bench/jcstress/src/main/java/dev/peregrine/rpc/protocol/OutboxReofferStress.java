package dev.peregrine.rpc.protocol;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * An entry is in the outbox already. A worker adds work to it and offers it again while the loop
 * delivers it. First result: the work seen by the last delivery; second: how many there were.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The delivery under way has seen the work.")
@Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "Another delivery was made for it.")
@Outcome(expect = FORBIDDEN, desc = "The work is stuck.")
@State
public class OutboxReofferStress {

  private final Outbox outbox = new Outbox(() -> {});
  private volatile int work;
  private int seen;
  private int deliveries;

  private final StressEntry entry =
      new StressEntry() {
        @Override
        protected void runOnLoop() {
          seen = work;
        }
      };

  public OutboxReofferStress() {
    outbox.offer(entry);
  }

  @Actor
  public void worker() {
    work = 1;
    outbox.offer(entry);
  }

  @Actor
  public void loop() {
    deliveries = StressEntry.deliverAll(outbox);
  }

  @Arbiter
  public void judge(II_Result result) {
    deliveries += StressEntry.deliverAll(outbox);
    result.r1 = seen;
    result.r2 = deliveries;
  }
}
