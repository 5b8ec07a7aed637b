package dev.peregrine.services;

import static dev.peregrine.services.health.v1.HealthCheckResponse.ServingStatus.NOT_SERVING;
import static dev.peregrine.services.health.v1.HealthCheckResponse.ServingStatus.SERVICE_UNKNOWN;
import static dev.peregrine.services.health.v1.HealthCheckResponse.ServingStatus.SERVING;
import static dev.peregrine.services.health.v1.HealthCheckResponse.ServingStatus.UNKNOWN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.RpcException;
import dev.peregrine.rpc.Status;
import dev.peregrine.services.health.v1.HealthCheckRequest;
import dev.peregrine.services.health.v1.HealthCheckResponse;
import dev.peregrine.services.health.v1.HealthService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Watch. */
class HealthWatchTest {

  private final Health health = new Health();
  private final FakeCall<HealthCheckResponse> call = new FakeCall<>();

  private CallListener<HealthCheckRequest> start(FakeCall<HealthCheckResponse> call)
      throws Exception {
    return start(health, call);
  }

  private static CallListener<HealthCheckRequest> start(
      Health health, FakeCall<HealthCheckResponse> call) throws Exception {
    var watch =
        (Handler.EventDriven<HealthCheckRequest, HealthCheckResponse>)
            FakeCall.handler(health.definition(), HealthService.WATCH);
    return watch.start(call);
  }

  private CallListener<HealthCheckRequest> watch(String service) throws Exception {
    CallListener<HealthCheckRequest> listener = start(call);
    listener.onMessage(HealthCheckRequest.newBuilder().setService(service).build());
    listener.onHalfClose();
    return listener;
  }

  private List<HealthCheckResponse.ServingStatus> told() {
    return call.take().stream().map(HealthCheckResponse::getStatus).toList();
  }

  @Test
  void theStatusIsToldAtOnceAndThenEveryChange() throws Exception {
    watch("");
    assertEquals(List.of(SERVING), told());
    health.set("", ServingStatus.NOT_SERVING);
    health.set("", ServingStatus.UNKNOWN);
    assertEquals(List.of(NOT_SERVING, UNKNOWN), told());
    assertNull(call.closed());
  }

  @Test
  void whatIsNotNewIsNotTold() throws Exception {
    watch("");
    told();
    health.set("", ServingStatus.SERVING);
    health.set("zoo.Keeper", ServingStatus.NOT_SERVING);
    health.clear("zoo.Keeper");
    health.resume();
    assertEquals(List.of(), told());
  }

  @Test
  void anUnknownServiceIsToldAsSuchUntilItIsSet() throws Exception {
    watch("zoo.Keeper");
    assertEquals(List.of(SERVICE_UNKNOWN), told());
    health.enterLameDuck();
    assertEquals(List.of(), told());
    health.resume();
    health.set("zoo.Keeper", ServingStatus.SERVING);
    assertEquals(List.of(SERVING), told());
    health.clear("zoo.Keeper");
    assertEquals(List.of(SERVICE_UNKNOWN), told());
    assertNull(call.closed());
  }

  @Test
  void aSlowClientHearsOfTheNewestStatusAlone() throws Exception {
    CallListener<HealthCheckRequest> listener = watch("");
    told();
    call.ready(false);
    health.set("", ServingStatus.NOT_SERVING);
    health.set("", ServingStatus.SERVING);
    health.set("", ServingStatus.UNKNOWN);
    assertEquals(List.of(), told());
    call.ready(true);
    listener.onReady();
    assertEquals(List.of(UNKNOWN), told());
  }

  @Test
  void aSlowClientHearsNothingIfAllIsAsItWas() throws Exception {
    CallListener<HealthCheckRequest> listener = watch("");
    told();
    call.ready(false);
    health.set("", ServingStatus.NOT_SERVING);
    health.set("", ServingStatus.SERVING);
    call.ready(true);
    listener.onReady();
    assertEquals(List.of(), told());
  }

  @Test
  void aLameDuckTellsAndKeepsTheStreamOpen() throws Exception {
    watch("");
    told();
    health.enterLameDuck();
    assertEquals(List.of(NOT_SERVING), told());
    health.set("", ServingStatus.UNKNOWN);
    assertEquals(List.of(), told());
    health.resume();
    assertEquals(List.of(UNKNOWN), told());
    assertNull(call.closed());
  }

  @Test
  void aDrainIsToldAndEndsTheStream() throws Exception {
    watch("");
    told();
    health.onDrain();
    assertEquals(List.of(NOT_SERVING), told());
    assertEquals(Status.Code.UNAVAILABLE, call.closed().code());
    health.set("", ServingStatus.SERVING);
    health.onStart(List.of());
    health.resume();
    assertEquals(List.of(), told());
  }

  @Test
  void aDrainIsToldEvenToASlowClient() throws Exception {
    watch("");
    told();
    call.ready(false);
    health.onDrain();
    assertEquals(List.of(NOT_SERVING), told());
    assertEquals(Status.Code.UNAVAILABLE, call.closed().code());
  }

  @Test
  void aWatchThatComesDuringADrainIsToldAndEnds() throws Exception {
    health.onDrain();
    watch("");
    assertEquals(List.of(NOT_SERVING), told());
    assertEquals(Status.Code.UNAVAILABLE, call.closed().code());
  }

  @Test
  @Timeout(30)
  void duringTheDrainDelayStreamsStayOpen() throws Exception {
    Health patient = new Health(Duration.ofHours(1));
    CallListener<HealthCheckRequest> listener = start(patient, call);
    listener.onMessage(HealthCheckRequest.getDefaultInstance());
    told();
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread stopping =
        new Thread(
            () -> {
              patient.onDrain();
              interrupted.set(Thread.interrupted());
            });
    stopping.start();
    while (stopping.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    assertEquals(List.of(NOT_SERVING), told());
    FakeCall<HealthCheckResponse> later = new FakeCall<>();
    start(patient, later).onMessage(HealthCheckRequest.getDefaultInstance());
    assertEquals(List.of(Health.response(NOT_SERVING)), later.take());
    assertNull(call.closed());
    assertNull(later.closed());

    stopping.interrupt();
    stopping.join();
    assertTrue(interrupted.get());
    assertEquals(List.of(), told());
    assertEquals(Status.Code.UNAVAILABLE, call.closed().code());
    assertEquals(Status.Code.UNAVAILABLE, later.closed().code());
  }

  @Test
  void theDrainDelayIsWaitedFor() {
    long begin = System.nanoTime();
    new Health(Duration.ofMillis(30)).onDrain();
    assertTrue(System.nanoTime() - begin >= 30_000_000);
    assertThrows(IllegalArgumentException.class, () -> new Health(Duration.ofMillis(-1)));
  }

  @Test
  void aCancelledWatchIsForgotten() throws Exception {
    CallListener<HealthCheckRequest> listener = watch("");
    told();
    listener.onCancel(Status.CANCELLED);
    health.set("", ServingStatus.NOT_SERVING);
    health.onDrain();
    assertEquals(List.of(), told());
    assertNull(call.closed());
  }

  @Test
  void aWatchWithoutItsRequestIsNotTold() throws Exception {
    start(call);
    health.set("", ServingStatus.NOT_SERVING);
    health.enterLameDuck();
    assertEquals(List.of(), told());
  }

  @Test
  void aNameLongerThanAnyRealOneIsRefused() {
    RpcException e = assertThrows(RpcException.class, () -> watch("x".repeat(1025)));
    assertEquals(Status.Code.INVALID_ARGUMENT, e.status().code());
  }

  @Test
  @Timeout(30)
  void whatManyThreadsSetEndsAsTheNewestStatusAtEveryClient() throws Exception {
    List<FakeCall<HealthCheckResponse>> calls = new ArrayList<>();
    List<CallListener<HealthCheckRequest>> listeners = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      calls.add(new FakeCall<>());
      listeners.add(start(calls.get(i)));
      listeners.get(i).onMessage(HealthCheckRequest.getDefaultInstance());
    }
    List<ServingStatus> statuses = List.of(ServingStatus.values());
    CyclicBarrier together = new CyclicBarrier(4);
    List<Thread> threads = new ArrayList<>();
    for (int seed = 0; seed < 3; seed++) {
      int first = seed;
      threads.add(
          new Thread(
              () -> {
                await(together);
                for (int i = first; i < first + 5_000; i++) {
                  health.set("", statuses.get(i % statuses.size()));
                }
              }));
    }
    threads.add(
        new Thread(
            () -> {
              await(together);
              for (int i = 0; i < 5_000; i++) {
                FakeCall<HealthCheckResponse> slow = calls.get(i % calls.size());
                slow.ready(false);
                slow.ready(true);
                ((HealthWatch) listeners.get(i % calls.size())).onReady();
              }
            }));
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    HealthCheckResponse.ServingStatus last = health.status("");
    for (FakeCall<HealthCheckResponse> each : calls) {
      List<HealthCheckResponse> sent = each.sent();
      assertEquals(last, sent.get(sent.size() - 1).getStatus());
      for (int i = 1; i < sent.size(); i++) {
        assertNotEquals(sent.get(i - 1), sent.get(i), "told twice");
      }
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
