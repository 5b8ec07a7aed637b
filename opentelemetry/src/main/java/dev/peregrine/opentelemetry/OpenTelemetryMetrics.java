package dev.peregrine.opentelemetry;

import dev.peregrine.rpc.CallEnd;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.ServerObserver;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongHistogram;
import io.opentelemetry.api.metrics.Meter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The metrics of gRPC's servers (gRFC A66), of calls by every wire. Any thread.
 *
 * <ul>
 *   <li>{@code grpc.server.call.started}: calls, by {@code grpc.method};
 *   <li>{@code grpc.server.call.duration}: seconds;
 *   <li>{@code grpc.server.call.sent_total_compressed_message_size} and {@code
 *       grpc.server.call.rcvd_total_compressed_message_size}: bytes; these three by {@code
 *       grpc.method} and {@code grpc.status}.
 * </ul>
 *
 * <p>The histograms advise A66's buckets. Methods that do not exist are {@code other}.
 */
public final class OpenTelemetryMetrics implements ServerObserver {

  /** Who instruments: the name of its meter and its tracer. */
  static final String SCOPE = "dev.peregrine";

  /** gRFC A66, "Buckets", in seconds. */
  private static final List<Double> LATENCY_BOUNDS =
      List.of(
          0d, 0.00001, 0.00005, 0.0001, 0.0003, 0.0006, 0.0008, 0.001, 0.002, 0.003, 0.004, 0.005,
          0.006, 0.008, 0.01, 0.013, 0.016, 0.02, 0.025, 0.03, 0.04, 0.05, 0.065, 0.08, 0.1, 0.13,
          0.16, 0.2, 0.25, 0.3, 0.4, 0.5, 0.65, 0.8, 1d, 2d, 5d, 10d, 20d, 50d, 100d);

  /** gRFC A66, "Buckets", in bytes. */
  private static final List<Long> SIZE_BOUNDS =
      List.of(
          0L,
          1024L,
          2048L,
          4096L,
          16384L,
          65536L,
          262144L,
          1048576L,
          4194304L,
          16777216L,
          67108864L,
          268435456L,
          1073741824L,
          4294967296L);

  private static final String OTHER = "other";
  private static final double NANOS_PER_SECOND = 1e9;

  private final LongCounter started;
  private final DoubleHistogram duration;
  private final LongHistogram sent;
  private final LongHistogram received;

  /** As many as the server has methods, and {@code other}. */
  private final Map<String, MethodAttributes> methods = new ConcurrentHashMap<>();

  /** Metrics for the meter provider of an OpenTelemetry. */
  public OpenTelemetryMetrics(OpenTelemetry openTelemetry) {
    Meter meter = openTelemetry.getMeter(SCOPE);
    started =
        meter
            .counterBuilder("grpc.server.call.started")
            .setUnit("{call}")
            .setDescription("The number of calls started")
            .build();
    duration =
        meter
            .histogramBuilder("grpc.server.call.duration")
            .setUnit("s")
            .setDescription("The time from the header section to the end of a call")
            .setExplicitBucketBoundariesAdvice(LATENCY_BOUNDS)
            .build();
    sent =
        sizes(
            meter,
            "grpc.server.call.sent_total_compressed_message_size",
            "The message bytes sent by a call, compressed where they were");
    received =
        sizes(
            meter,
            "grpc.server.call.rcvd_total_compressed_message_size",
            "The message bytes received by a call, compressed where they were");
  }

  private static LongHistogram sizes(Meter meter, String name, String description) {
    return meter
        .histogramBuilder(name)
        .ofLongs()
        .setUnit("By")
        .setDescription(description)
        .setExplicitBucketBoundariesAdvice(SIZE_BOUNDS)
        .build();
  }

  private MethodAttributes method(String name) {
    MethodAttributes known = methods.get(name);
    return known == null ? methods.computeIfAbsent(name, MethodAttributes::new) : known;
  }

  @Override
  public void callStarted(Context context) {
    started.add(1, method(context.method().fullName()).started());
  }

  @Override
  public void callEnded(CallEnd end) {
    MethodAttributes method = method(end.known() ? end.method() : OTHER);
    if (end.context() == null) {
      // Refused before it began, of which callStarted is not told.
      started.add(1, method.started());
    }
    Attributes attributes = method.ended(end.status().code());
    duration.record(end.durationNanos() / NANOS_PER_SECOND, attributes);
    sent.record(end.responseBytes(), attributes);
    received.record(end.requestBytes(), attributes);
  }
}
