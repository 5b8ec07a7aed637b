package dev.peregrine.micrometer;

import dev.peregrine.rpc.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The meters of one method over one wire. Any thread. */
final class WireMeters {

  private final MeterRegistry registry;
  private final Tags tags;
  private final Counter started;
  private final DistributionSummary requestBytes;
  private final DistributionSummary responseBytes;
  private final AtomicReferenceArray<Timer> byCode =
      new AtomicReferenceArray<>(Status.Code.values().length);

  WireMeters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
    this.started =
        Counter.builder("peregrine.calls.started")
            .description("Calls that have begun, or were refused")
            .tags(tags)
            .register(registry);
    this.requestBytes = summary("peregrine.request.size", "Message bytes received by a call");
    this.responseBytes = summary("peregrine.response.size", "Message bytes sent by a call");
  }

  private DistributionSummary summary(String name, String description) {
    return DistributionSummary.builder(name)
        .description(description)
        .baseUnit("bytes")
        .tags(tags)
        .register(registry);
  }

  Counter started() {
    return started;
  }

  void sizes(long received, long sent) {
    requestBytes.record((double) received);
    responseBytes.record((double) sent);
  }

  void ended(Status.Code code, long durationNanos) {
    Timer timer = byCode.get(code.number());
    if (timer == null) {
      timer =
          Timer.builder("peregrine.calls")
              .description("Calls that have ended")
              .tags(tags)
              .tag("code", code.name())
              .register(registry);
      byCode.set(code.number(), timer);
    }
    timer.record(durationNanos, TimeUnit.NANOSECONDS);
  }
}
