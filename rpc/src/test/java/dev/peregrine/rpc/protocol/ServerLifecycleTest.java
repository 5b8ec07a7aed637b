package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.ServerLifecycle;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What services hear of their server. */
class ServerLifecycleTest {

  private final List<String> heard = new ArrayList<>();
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
  void aFaultInOnDrainDoesNotKeepOthersFromHearing() {
    routes.add(new Listening(), Execution.inline());
    routes.add(new DrainOnly(), Execution.inline());
    routes.draining();
    assertEquals(List.of("drain", "drain too"), heard);
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
