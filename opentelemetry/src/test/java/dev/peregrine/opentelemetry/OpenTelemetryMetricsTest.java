package dev.peregrine.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.testcalls.GrpcConnection;
import dev.peregrine.testcalls.Talk;
import dev.peregrine.testcalls.TalkServer;
import dev.peregrine.testcalls.Wire;
import dev.peregrine.testcalls.WireClient;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** gRFC A66, of real calls. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OpenTelemetryMetricsTest {

  private static final String SAY = Talk.SAY.fullName();
  private static final String STARTED = "grpc.server.call.started";
  private static final String DURATION = "grpc.server.call.duration";
  private static final String SENT = "grpc.server.call.sent_total_compressed_message_size";
  private static final String RECEIVED = "grpc.server.call.rcvd_total_compressed_message_size";

  private final Observed observed = new Observed(context -> {});
  private Map<String, MetricData> metrics;

  private void serve(TalkServer.Calls calls) throws Exception {
    observed.serve(calls);
    metrics =
        observed.metrics.collectAllMetrics().stream()
            .collect(Collectors.toMap(MetricData::getName, Function.identity()));
  }

  private static Attributes attributes(String method, String status) {
    return Attributes.of(
        AttributeKey.stringKey("grpc.method"),
        method,
        AttributeKey.stringKey("grpc.status"),
        status);
  }

  private HistogramPointData point(String name) {
    var points = metrics.get(name).getHistogramData().getPoints();
    assertEquals(1, points.size(), name);
    return points.iterator().next();
  }

  /** All four metrics have just so many calls of one method. */
  private void assertCalls(int count, String method, String status) {
    var points = metrics.get(STARTED).getLongSumData().getPoints();
    assertEquals(1, points.size());
    LongPointData started = points.iterator().next();
    assertEquals(count, started.getValue());
    assertEquals(
        Attributes.of(AttributeKey.stringKey("grpc.method"), method), started.getAttributes());
    for (String name : new String[] {DURATION, SENT, RECEIVED}) {
      assertEquals(count, point(name).getCount(), name);
      assertEquals(attributes(method, status), point(name).getAttributes(), name);
    }
  }

  @ParameterizedTest
  @EnumSource
  void callIsMeasuredOverEveryWire(Wire wire) throws Exception {
    serve((client, port) -> client.call(wire, SAY, "you"));
    assertCalls(1, SAY, "OK");
    assertTrue(point(SENT).getSum() >= 9);
    assertTrue(point(DURATION).getSum() > 0 && point(DURATION).getSum() < 60);
  }

  @ParameterizedTest
  @EnumSource
  void failureIsMeasuredOverEveryWire(Wire wire) throws Exception {
    serve((client, port) -> client.call(wire, SAY, "fail"));
    assertCalls(1, SAY, "NOT_FOUND");
  }

  @Test
  void streamIsOneCallWithAllItsBytes() throws Exception {
    serve((client, port) -> client.call(Wire.GRPC, "test.Talk/Chat", "a\nb"));
    assertCalls(1, "test.Talk/Chat", "OK");
    assertEquals(6, point(RECEIVED).getSum());
    assertEquals(18, point(SENT).getSum());
  }

  @Test
  void cancelledCallIsMeasuredOnce() throws Exception {
    serve(
        (client, port) -> {
          try (GrpcConnection connection = new GrpcConnection(port)) {
            connection.headers("/" + SAY);
            connection.data(WireClient.envelopes("wait"), true);
            observed.talk.awaitWaiting();
            connection.cancel();
          }
        });
    assertCalls(1, SAY, "CANCELLED");
  }

  @Test
  void passedDeadlineIsMeasuredOnce() throws Exception {
    serve((client, port) -> client.call(Wire.GRPC, SAY, "wait", "grpc-timeout", "20m"));
    assertCalls(1, SAY, "DEADLINE_EXCEEDED");
    assertTrue(point(DURATION).getSum() >= 0.02);
  }

  @Test
  void whatClientsInventIsOther() throws Exception {
    serve(
        (client, port) -> {
          for (int i = 0; i < 5; i++) {
            client.call(Wire.GRPC, "no.Such/Method" + i, "you");
          }
        });
    assertCalls(5, "other", "UNIMPLEMENTED");
  }

  @Test
  void unitsAndBucketsAreThoseOfA66() throws Exception {
    serve((client, port) -> client.call(Wire.GRPC, SAY, "you"));
    assertEquals("{call}", metrics.get(STARTED).getUnit());
    assertTrue(metrics.get(STARTED).getLongSumData().isMonotonic());
    assertEquals("s", metrics.get(DURATION).getUnit());
    assertEquals("By", metrics.get(SENT).getUnit());
    assertEquals("By", metrics.get(RECEIVED).getUnit());
    var seconds = point(DURATION).getBoundaries();
    assertEquals(41, seconds.size());
    assertEquals(0.00001, seconds.get(1));
    assertEquals(100, seconds.get(40));
    var bytes = point(SENT).getBoundaries();
    assertEquals(14, bytes.size());
    assertEquals(4294967296.0, bytes.get(13));
    assertEquals(bytes, point(RECEIVED).getBoundaries());
  }
}
