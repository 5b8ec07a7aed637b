package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.ServerLifecycle;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What services hear of their server. */
class ServerLifecycleTest {

  private final List<String> heard = Collections.synchronizedList(new ArrayList<>());
  private final Routes routes = new Routes(Limits.DEFAULTS, 1);

  private final class Listening implements Service, ServerLifecycle {
    @Override
    public ServiceDefinition definition() {
      return ServiceDefinition.of("a.Listening");
    }

    @Override
    public List<ServiceDefinition> definitions() {
      return List.of(definition(), ServiceDefinition.of("b.Listening"));
    }

    @Override
    public void onStart(List<ServiceDefinition> services) {
      services.forEach(service -> heard.add(service.name()));
    }

    @Override
    public void onDrain() {
      heard.add("drain");
      throw new IllegalStateException("a fault of this service");
    }
  }

  @Test
  void everyNameOfEveryServiceIsToldWhenTheServerIsComplete() {
    routes.add(new Listening(), Execution.inline());
    routes.add(() -> ServiceDefinition.of("c.Later"), Execution.inline());
    routes.starting();
    assertEquals(List.of("a.Listening", "b.Listening", "c.Later"), heard);
  }

  @Test
  void everyoneIsToldOnceThatTheServerHasEnded() {
    ServerLifecycle failing =
        new ServerLifecycle() {
          @Override
          public void onStop() {
            heard.add("failing");
            throw new IllegalStateException("a fault of this observer");
          }
        };
    ServerLifecycle other =
        new ServerLifecycle() {
          @Override
          public void onStop() {
            heard.add("other");
          }
        };
    routes.tell(failing);
    routes.tell(other);
    routes.tell(other);
    routes.close();
    assertEquals(List.of("failing", "other"), heard);
  }

  @Test
  void aFaultInOnDrainDoesNotKeepOthersFromHearing() {
    routes.add(new Listening(), Execution.inline());
    routes.add(new DrainOnly(), Execution.inline());
    routes.draining();
    assertEquals(Set.of("drain", "drain too"), Set.copyOf(heard));
  }

  /** Each waits for the other: one after the other, neither would ever return. */
  @Test
  @Timeout(60)
  void servicesWaitInOnDrainAtTheSameTime() {
    CountDownLatch both = new CountDownLatch(2);
    routes.add(new Waiting("e.One", both), Execution.inline());
    routes.add(new Waiting("e.Other", both), Execution.inline());
    routes.draining();
    assertEquals(0, both.getCount());
  }

  @Test
  @Timeout(60)
  void anInterruptEndsTheWait() {
    routes.add(new Waiting("e.Never", new CountDownLatch(2)), Execution.inline());
    Thread.currentThread().interrupt();
    routes.draining();
    assertTrue(Thread.interrupted());
  }

  private record Waiting(String name, CountDownLatch latch) implements Service, ServerLifecycle {
    @Override
    public ServiceDefinition definition() {
      return ServiceDefinition.of(name);
    }

    @Override
    public void onDrain() {
      latch.countDown();
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void theSecondNameOfAServiceMustBeFreeAsWell() {
    routes.add(() -> ServiceDefinition.of("b.Listening"), Execution.inline());
    var e =
        assertThrows(
            IllegalArgumentException.class, () -> routes.add(new Listening(), Execution.inline()));
    assertEquals("service b.Listening was added twice", e.getMessage());
  }

  private final class DrainOnly implements Service, ServerLifecycle {
    @Override
    public ServiceDefinition definition() {
      return ServiceDefinition.of("d.DrainOnly");
    }

    @Override
    public void onDrain() {
      heard.add("drain too");
    }
  }
}
