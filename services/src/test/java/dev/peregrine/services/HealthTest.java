package dev.peregrine.services;

import static dev.peregrine.services.health.v1.HealthCheckResponse.ServingStatus.NOT_SERVING;
import static dev.peregrine.services.health.v1.HealthCheckResponse.ServingStatus.SERVING;
import static dev.peregrine.services.health.v1.HealthCheckResponse.ServingStatus.UNKNOWN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.RpcException;
import dev.peregrine.rpc.Status;
import dev.peregrine.services.health.v1.HealthCheckRequest;
import dev.peregrine.services.health.v1.HealthCheckResponse;
import dev.peregrine.services.health.v1.HealthListRequest;
import dev.peregrine.services.health.v1.HealthListResponse;
import dev.peregrine.services.health.v1.HealthService;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Check and List. */
class HealthTest {

  private final Health health = new Health();

  private HealthCheckResponse.ServingStatus check(String service) throws Exception {
    var check =
        (Handler.Unary<HealthCheckRequest, HealthCheckResponse>)
            FakeCall.handler(health.definition(), HealthService.CHECK);
    HealthCheckRequest request = HealthCheckRequest.newBuilder().setService(service).build();
    return check.handle(request, null).getStatus();
  }

  private Map<String, HealthCheckResponse> list() throws Exception {
    var list =
        (Handler.Unary<HealthListRequest, HealthListResponse>)
            FakeCall.handler(health.definition(), HealthService.LIST);
    return list.handle(HealthListRequest.getDefaultInstance(), null).getStatusesMap();
  }

  private Status.Code checkFails(String service) {
    return assertThrows(RpcException.class, () -> check(service)).status().code();
  }

  @Test
  void aNewServerServesAsAWhole() throws Exception {
    assertEquals(SERVING, check(""));
    assertEquals(Map.of("", Health.response(SERVING)), list());
  }

  @Test
  void aNameThatWasNeverSetIsNotFound() {
    assertEquals(Status.Code.NOT_FOUND, checkFails("zoo.Keeper"));
  }

  @Test
  void theStatusIsWhatWasSetLast() throws Exception {
    health.set("zoo.Keeper", ServingStatus.UNKNOWN);
    assertEquals(UNKNOWN, check("zoo.Keeper"));
    health.set("zoo.Keeper", ServingStatus.NOT_SERVING);
    assertEquals(NOT_SERVING, check("zoo.Keeper"));
    assertEquals(SERVING, check(""));
  }

  @Test
  void aClearedNameIsNotFound() throws Exception {
    health.set("zoo.Keeper", ServingStatus.SERVING);
    health.clear("zoo.Keeper");
    health.clear("zoo.Keeper");
    assertEquals(Status.Code.NOT_FOUND, checkFails("zoo.Keeper"));
  }

  @Test
  void aLameDuckServesNothingUntilItResumes() throws Exception {
    health.set("zoo.Keeper", ServingStatus.SERVING);
    health.enterLameDuck();
    health.set("zoo.Keeper", ServingStatus.UNKNOWN);
    health.set("zoo.Feeder", ServingStatus.SERVING);
    for (String name : List.of("", "zoo.Keeper", "zoo.Feeder")) {
      assertEquals(NOT_SERVING, check(name), name);
      assertEquals(NOT_SERVING, list().get(name).getStatus(), name);
    }
    assertEquals(Status.Code.NOT_FOUND, checkFails("zoo.Cook"));

    health.resume();
    assertEquals(SERVING, check(""));
    assertEquals(UNKNOWN, check("zoo.Keeper"));
    assertEquals(SERVING, check("zoo.Feeder"));
  }

  @Test
  void aServerThatDrainsIsNotServingUntilItIsStartedAgain() throws Exception {
    health.onStart(List.of());
    health.onDrain();
    health.set("", ServingStatus.SERVING);
    assertEquals(NOT_SERVING, check(""));
    health.onStart(List.of());
    assertEquals(SERVING, check(""));
  }

  @Test
  void aLameDuckStaysOneWhenItIsStarted() throws Exception {
    health.enterLameDuck();
    health.onStart(List.of());
    assertEquals(NOT_SERVING, check(""));
  }

  @Test
  void oneHundredServicesAreListedButNotMore() throws Exception {
    for (int i = 1; i < 100; i++) {
      health.set("zoo.Service" + i, ServingStatus.NOT_SERVING);
    }
    assertEquals(100, list().size());
    assertEquals(NOT_SERVING, list().get("zoo.Service99").getStatus());

    health.set("zoo.OneMore", ServingStatus.SERVING);
    RpcException e = assertThrows(RpcException.class, this::list);
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, e.status().code());
  }

  @Test
  void aNameLongerThanAnyRealOneIsRefused() throws Exception {
    String longest = "x".repeat(1024);
    health.set(longest, ServingStatus.SERVING);
    assertEquals(SERVING, check(longest));
    assertEquals(Status.Code.INVALID_ARGUMENT, checkFails(longest + "x"));
    assertThrows(
        IllegalArgumentException.class, () -> health.set(longest + "x", ServingStatus.SERVING));
  }
}
