package dev.peregrine.micrometer;

import dev.peregrine.rpc.CallEnd;
import dev.peregrine.rpc.ConnectionEnd;
import dev.peregrine.rpc.ConnectionStart;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.HttpEnd;
import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.LimitReached;
import dev.peregrine.rpc.ServerObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * Keeps the metrics of a server, or of several together, in a Micrometer registry. Any thread.
 *
 * <pre>{@code
 * Server.builder().port(50051).add(new Greeter()).observe(new PeregrineMetrics(registry)).start();
 * }</pre>
 *
 * <table>
 *   <caption>Meters</caption>
 *   <tr><th>name</th><th>is</th><th>tags</th></tr>
 *   <tr><td>peregrine.calls.started</td><td>counter</td><td>method, protocol</td></tr>
 *   <tr><td>peregrine.calls</td><td>timer of ended calls</td><td>method, protocol, code</td></tr>
 *   <tr><td>peregrine.calls.active</td><td>gauge</td><td></td></tr>
 *   <tr><td>peregrine.request.size, peregrine.response.size</td>
 *       <td>summaries of the message bytes of a call</td><td>method, protocol</td></tr>
 *   <tr><td>peregrine.http</td><td>timer of other requests</td><td>method, status</td></tr>
 *   <tr><td>peregrine.connections</td><td>gauge</td><td></td></tr>
 *   <tr><td>peregrine.connections.opened</td><td>counter</td><td></td></tr>
 *   <tr><td>peregrine.connections.received, peregrine.connections.sent</td>
 *       <td>counters of bytes, of connections that have ended</td><td></td></tr>
 *   <tr><td>peregrine.limits.reached</td><td>counter</td><td>limit</td></tr>
 * </table>
 *
 * <p>Tags take no value from clients: methods which do not exist are {@code unknown}. Meters are
 * made when first needed and then kept, so that a call looks up no more than its method.
 */
public final class PeregrineMetrics implements ServerObserver {

  private final MeterRegistry registry;
  private final Tags tags;
  private final CallMeters calls;
  private final HttpMeters http;
  private final LongAdder active = new LongAdder();
  private final LongAdder connections = new LongAdder();
  private final Counter opened;
  private final Counter received;
  private final Counter sent;

  /** All of them from the start, so that a limit that was never reached is seen as 0. */
  private final Map<Limit, Counter> limits = new EnumMap<>(Limit.class);

  /** Metrics without further tags. */
  public PeregrineMetrics(MeterRegistry registry) {
    this(registry, List.of());
  }

  /**
   * Metrics with tags on every meter, e.g. the name of the server where a process has several.
   *
   * @param tags their names must not be those of the meters' own
   */
  public PeregrineMetrics(MeterRegistry registry, Iterable<Tag> tags) {
    this.registry = Objects.requireNonNull(registry, "registry");
    this.tags = Tags.of(tags);
    this.calls = new CallMeters(registry, this.tags);
    this.http = new HttpMeters(registry, this.tags);
    gauge("peregrine.calls.active", "Calls that have begun and not ended", active);
    gauge("peregrine.connections", "Open connections", connections);
    this.opened = counter("peregrine.connections.opened", "Connections accepted", null);
    this.received =
        counter("peregrine.connections.received", "Bytes of ended connections", "bytes");
    this.sent = counter("peregrine.connections.sent", "Bytes of ended connections", "bytes");
    for (Limit limit : Limit.values()) {
      limits.put(
          limit,
          Counter.builder("peregrine.limits.reached")
              .description("How often a limit has done its work")
              .tags(this.tags)
              .tag("limit", limit.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
  }

  private void gauge(String name, String description, LongAdder value) {
    // Strong: what is measured lives as long as the server, but nobody promises that of this.
    Gauge.builder(name, value, LongAdder::sum)
        .description(description)
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }

  private Counter counter(String name, String description, String unit) {
    return Counter.builder(name)
        .description(description)
        .baseUnit(unit)
        .tags(tags)
        .register(registry);
  }

  @Override
  public void callStarted(Context context) {
    active.increment();
    calls.of(context.method().fullName(), context.protocol()).started().increment();
  }

  @Override
  public void callEnded(CallEnd end) {
    if (end.context() != null) {
      // First: a registry may have something against a meter, and this would never be right again.
      active.decrement();
    }
    WireMeters meters = calls.of(end.known() ? end.method() : null, end.protocol());
    if (end.context() == null) {
      // Refused before it began, of which callStarted is not told.
      meters.started().increment();
    } else {
      meters.sizes(end.requestBytes(), end.responseBytes());
    }
    meters.ended(end.status().code(), end.durationNanos());
  }

  @Override
  public void httpEnded(HttpEnd end) {
    http.ended(end.request().method(), end.httpStatus(), end.durationNanos());
  }

  @Override
  public void connectionOpened(ConnectionStart start) {
    connections.increment();
    opened.increment();
  }

  @Override
  public void connectionClosed(ConnectionEnd end) {
    connections.decrement();
    received.increment((double) end.receivedBytes());
    sent.increment((double) end.sentBytes());
  }

  @Override
  public void limitReached(LimitReached event) {
    limits.get(event.limit()).increment();
  }
}
