package dev.peregrine.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.LimitReached;
import dev.peregrine.testcalls.GrpcConnection;
import dev.peregrine.testcalls.Talk;
import dev.peregrine.testcalls.TalkServer;
import dev.peregrine.testcalls.Wire;
import dev.peregrine.testcalls.WireClient;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is counted of real calls. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PeregrineMetricsTest {

  private static final String SAY = Talk.SAY.fullName();

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final PeregrineMetrics metrics = new PeregrineMetrics(registry);
  private final Talk talk = new Talk();

  /** Makes some calls; everything is counted once the server has stopped. */
  private void serve(TalkServer.Calls calls) throws Exception {
    TalkServer.serve(talk, server -> server.observe(metrics), calls);
    assertEquals(0, registry.get("peregrine.calls.active").gauge().value());
    assertEquals(0, registry.get("peregrine.connections").gauge().value());
  }

  private void assertCall(String method, String protocol, String code) {
    Timer timer = registry.get("peregrine.calls").timer();
    assertEquals(method, timer.getId().getTag("method"));
    assertEquals(protocol, timer.getId().getTag("protocol"));
    assertEquals(code, timer.getId().getTag("code"));
    assertEquals(1, timer.count());
    assertEquals(1, registry.get("peregrine.calls.started").counter().count());
  }

  @ParameterizedTest
  @EnumSource
  void callIsCountedOverEveryWire(Wire wire) throws Exception {
    serve((client, port) -> client.call(wire, SAY, "you"));
    assertCall(SAY, wire.protocol(), "OK");
    assertTrue(registry.get("peregrine.response.size").summary().totalAmount() >= 9);
    assertTrue(registry.get("peregrine.calls").timer().totalTime(TimeUnit.NANOSECONDS) > 0);
  }

  @ParameterizedTest
  @EnumSource
  void failureIsCountedOverEveryWire(Wire wire) throws Exception {
    serve((client, port) -> client.call(wire, SAY, "fail"));
    assertCall(SAY, wire.protocol(), "NOT_FOUND");
  }

  @Test
  void streamIsOneCallWithAllItsBytes() throws Exception {
    serve((client, port) -> client.call(Wire.GRPC, "test.Talk/Chat", "a\nb"));
    assertCall("test.Talk/Chat", "grpc", "OK");
    assertEquals(6, registry.get("peregrine.request.size").summary().totalAmount());
    assertEquals(18, registry.get("peregrine.response.size").summary().totalAmount());
    assertEquals(1, registry.get("peregrine.response.size").summary().count());
  }

  @Test
  void cancelledCallIsCountedAndActiveUntilThen() throws Exception {
    serve(
        (client, port) -> {
          try (GrpcConnection connection = new GrpcConnection(port)) {
            connection.headers("/" + SAY);
            connection.data(WireClient.envelopes("wait"), true);
            talk.awaitWaiting();
            assertEquals(1, registry.get("peregrine.calls.active").gauge().value());
            assertEquals(1, registry.get("peregrine.connections").gauge().value());
            connection.cancel();
          }
        });
    assertCall(SAY, "grpc", "CANCELLED");
  }

  @Test
  void passedDeadlineIsCountedOnce() throws Exception {
    serve((client, port) -> client.call(Wire.GRPC, SAY, "wait", "grpc-timeout", "20m"));
    assertCall(SAY, "grpc", "DEADLINE_EXCEEDED");
  }

  @Test
  void whatClientsInventIsOneUnknownMethod() throws Exception {
    serve(
        (client, port) -> {
          for (int i = 0; i < 5; i++) {
            client.call(Wire.GRPC, "no.Such/Method" + i, "you");
          }
        });
    Timer timer = registry.get("peregrine.calls").timer();
    assertEquals("unknown", timer.getId().getTag("method"));
    assertEquals(5, timer.count());
    assertEquals(5, registry.get("peregrine.calls.started").counter().count());
    assertEquals(0, registry.get("peregrine.request.size").summary().count());
  }

  @Test
  void otherRequestsAreTimedByMethodAndStatus() throws Exception {
    serve(
        (client, port) -> {
          client.http("GET", "/page");
          client.http("BREW", "/page");
          client.http("GET", "/favicon.ico");
        });
    assertEquals(
        1,
        registry.get("peregrine.http").tag("method", "GET").tag("status", "200").timer().count());
    assertEquals(1, registry.get("peregrine.http").tag("method", "other").timer().count());
    assertEquals(1, registry.get("peregrine.http").tag("status", "404").timer().count());
    assertNull(registry.find("peregrine.calls").timer());
  }

  // What observers throw is logged and dropped; the gauge must not keep a trace of it.
  @Test
  void registryThatRefusesAMeterLeavesNoCallActive() throws Exception {
    registry
        .config()
        .meterFilter(
            new MeterFilter() {
              @Override
              public Meter.Id map(Meter.Id id) {
                if (id.getName().equals("peregrine.calls.started")) {
                  throw new IllegalArgumentException("not this one");
                }
                return id;
              }
            });
    serve((client, port) -> client.call(Wire.GRPC, SAY, "you"));
    assertNull(registry.find("peregrine.calls").timer());
  }

  @Test
  void connectionsAreCountedWithTheirBytes() throws Exception {
    serve(
        (client, port) -> {
          client.call(Wire.GRPC, SAY, "you");
          client.call(Wire.GRPC, SAY, "you");
        });
    assertEquals(2, registry.get("peregrine.connections.opened").counter().count());
    assertTrue(registry.get("peregrine.connections.received").counter().count() > 100);
    assertTrue(registry.get("peregrine.connections.sent").counter().count() > 100);
  }

  @Test
  void limitsAreCountedByName() {
    metrics.limitReached(new LimitReached(Limit.STREAM_RESETS, null, "too many"));
    metrics.limitReached(new LimitReached(Limit.STREAM_RESETS, null, "too many"));
    assertEquals(
        2,
        registry.get("peregrine.limits.reached").tag("limit", "stream_resets").counter().count());
  }

  @Test
  void metersAreMadeOncePerMethodAndWire() {
    CallMeters calls = new CallMeters(registry, Tags.of("server", "a"));
    WireMeters first = calls.of("a.B/C", "grpc");
    assertSame(first, calls.of("a.B/C", "grpc"));
    assertSame(calls.of("a.B/C", "one to come"), calls.of("a.B/C", "another"));
    assertEquals(2, registry.get("peregrine.calls.started").tag("server", "a").counters().size());
  }
}
