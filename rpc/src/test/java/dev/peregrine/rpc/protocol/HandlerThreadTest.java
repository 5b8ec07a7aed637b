package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.wire.Transport;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a call reaches its handler: it has seen it before it began, or is interrupted. */
@Timeout(60)
class HandlerThreadTest {

  private static final int ROUNDS = 300_000;

  /** Spins: about as long as the other thread takes to notice a new round. */
  private static final int MAX_DELAY = 6;

  private static final class Run extends HandlerThread {
    private volatile boolean over;

    @Override
    public Transport transport() {
      throw new AssertionError("not asked for");
    }

    @Override
    protected void runOnLoop() {
      throw new AssertionError("not offered");
    }

    @Override
    void runHandler() {
      throw new AssertionError("not queued");
    }

    @Override
    void rejected(Throwable reason) {
      throw new AssertionError("not queued");
    }
  }

  @Test
  void noEndIsMissedByAHandlerThatBegins() throws InterruptedException {
    Run[] runs = new Run[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      runs[i] = new Run();
    }
    AtomicInteger round = new AtomicInteger(-1);
    Thread loop =
        new Thread(
            () -> {
              for (int i = 0; i < ROUNDS; i++) {
                while (round.get() < i) {
                  Thread.onSpinWait();
                }
                runs[i].over = true;
                runs[i].interrupt();
              }
            });
    loop.setDaemon(true); // it would wait for ever for a test that has failed
    loop.start();
    Random random = new Random(6);
    for (int i = 0; i < ROUNDS; i++) {
      int delay = random.nextInt(MAX_DELAY);
      round.set(i);
      for (int spins = 0; spins < delay; spins++) {
        Thread.onSpinWait();
      }
      runs[i].enter();
      if (!runs[i].over) {
        assertTrue(interruptedSoon(), "missed in round " + i);
      }
      runs[i].leave();
      assertFalse(Thread.interrupted(), "the interrupt outlives the run");
    }
    loop.join();
  }

  private static boolean interruptedSoon() {
    long latest = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!Thread.currentThread().isInterrupted()) {
      if (System.nanoTime() - latest > 0) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  @Test
  void interruptAfterTheHandlerHasLeftDoesNothing() {
    Run run = new Run();
    run.enter();
    run.leave();
    run.interrupt();
    assertFalse(Thread.currentThread().isInterrupted());
  }
}
