package dev.peregrine.opentelemetry;

import dev.peregrine.rpc.Context;
import dev.peregrine.testcalls.Talk;
import dev.peregrine.testcalls.TalkServer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.function.Consumer;

/** A server that is measured and traced into memory. One thread. */
final class Observed {

  final InMemoryMetricReader metrics = InMemoryMetricReader.create();
  final InMemorySpanExporter spans = InMemorySpanExporter.create();
  final Talk talk;

  private final OpenTelemetrySdk sdk =
      OpenTelemetrySdk.builder()
          .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(metrics).build())
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(spans))
                  .build())
          .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
          .build();

  /** What the server is given, in this order: one by default. */
  List<OpenTelemetryTracing> tracings = List.of(newTracing());

  /** With something that runs in every handler. */
  Observed(Consumer<Context> inHandler) {
    talk = new Talk(inHandler);
  }

  OpenTelemetryTracing newTracing() {
    return new OpenTelemetryTracing(sdk);
  }

  /** Makes some calls; everything is known once the server has stopped. */
  void serve(TalkServer.Calls calls) throws Exception {
    TalkServer.serve(
        talk,
        server -> {
          tracings.forEach(server::intercept);
          server.observe(new OpenTelemetryMetrics(sdk));
        },
        calls);
  }
}
