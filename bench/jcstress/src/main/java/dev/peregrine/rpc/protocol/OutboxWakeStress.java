package dev.peregrine.rpc.protocol;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A loop declares that it sleeps and looks once more, as EventLoop does; meanwhile an entry is
 * offered. First result: whether the loop sleeps; second: whether it was woken.
 */
@JCStressTest
@Outcome(id = "false, false", expect = ACCEPTABLE, desc = "The entry was seen in time.")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "Seen in time, and woken needlessly.")
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Slept, and was woken.")
@Outcome(id = "true, false", expect = FORBIDDEN, desc = "The wake-up is lost.")
@State
public class OutboxWakeStress {

  private final AtomicBoolean asleep = new AtomicBoolean();
  private volatile boolean woken;
  private boolean sleeps;

  private final Outbox outbox =
      new Outbox(
          () -> {
            if (asleep.get() && asleep.compareAndSet(true, false)) {
              woken = true;
            }
          });

  private final StressEntry entry =
      new StressEntry() {
        @Override
        protected void runOnLoop() {}
      };

  @Actor
  public void worker() {
    outbox.offer(entry);
  }

  @Actor
  public void loop() {
    asleep.set(true);
    sleeps = outbox.isEmpty();
  }

  @Arbiter
  public void judge(ZZ_Result result) {
    result.r1 = sleeps;
    result.r2 = woken;
  }
}
