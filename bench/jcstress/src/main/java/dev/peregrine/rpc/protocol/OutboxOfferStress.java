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
 * Two workers offer an entry each. Results: how often each ran, with what its worker had written
 * before; how many were delivered.
 */
@JCStressTest
@Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "Each ran once and saw its data.")
@Outcome(expect = FORBIDDEN, desc = "Lost, doubled, or without its data.")
@State
public class OutboxOfferStress {

  private final Outbox outbox = new Outbox(() -> {});
  private final StressNote first = new StressNote();
  private final StressNote second = new StressNote();

  @Actor
  public void firstWorker() {
    first.offerTo(outbox);
  }

  @Actor
  public void secondWorker() {
    second.offerTo(outbox);
  }

  @Arbiter
  public void judge(III_Result result) {
    result.r3 = StressEntry.deliverAll(outbox);
    result.r1 = first.runs();
    result.r2 = second.runs();
  }
}
