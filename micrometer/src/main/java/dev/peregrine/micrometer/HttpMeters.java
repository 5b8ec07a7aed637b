package dev.peregrine.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The timers of requests that are no call, by HTTP method and status. Any thread. */
final class HttpMeters {

  /** RFC 9110, 9.3, and PATCH; any other method, of which clients may invent many, is the last. */
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "other");

  private static final int STATUS_CODES = 600;

  private final MeterRegistry registry;
  private final Tags tags;
  private final AtomicReferenceArray<Timer> timers =
      new AtomicReferenceArray<>(METHODS.size() * STATUS_CODES);

  HttpMeters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  /**
   * A request has ended.
   *
   * @param status 0 if no response left
   */
  void ended(String method, int status, long durationNanos) {
    int index = METHODS.indexOf(method);
    int row = index < 0 ? METHODS.size() - 1 : index;
    int column = Math.min(status, STATUS_CODES - 1);
    int place = row * STATUS_CODES + column;
    Timer timer = timers.get(place);
    if (timer == null) {
      timer =
          Timer.builder("peregrine.http")
              .description("Requests that are no call")
              .tags(tags)
              .tag("method", METHODS.get(row))
              .tag("status", column == 0 ? "none" : Integer.toString(column))
              .register(registry);
      timers.set(place, timer);
    }
    timer.record(durationNanos, TimeUnit.NANOSECONDS);
  }
}
