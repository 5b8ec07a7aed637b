package dev.peregrine.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The meters of calls, by method and wire: as many as the server has methods, and one more for all
 * that do not exist. Any thread.
 */
final class CallMeters {

  /** The wires; any other, of a version to come, has the last place. */
  private static final List<String> PROTOCOLS =
      List.of("grpc", "grpc-web", "connect", "http", "other");

  private static final String UNKNOWN = "unknown";

  private final MeterRegistry registry;
  private final Tags tags;
  private final Map<String, AtomicReferenceArray<WireMeters>> methods = new ConcurrentHashMap<>();

  CallMeters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  /**
   * The meters of a method over a wire.
   *
   * @param method {@code null} for one that does not exist
   */
  WireMeters of(String method, String protocol) {
    String name = method == null ? UNKNOWN : method;
    AtomicReferenceArray<WireMeters> wires = methods.get(name);
    if (wires == null) {
      wires = methods.computeIfAbsent(name, made -> new AtomicReferenceArray<>(PROTOCOLS.size()));
    }
    int index = PROTOCOLS.indexOf(protocol);
    int place = index < 0 ? PROTOCOLS.size() - 1 : index;
    WireMeters meters = wires.get(place);
    if (meters == null) {
      // Two threads may come here; the registry gives both the same meters.
      meters =
          new WireMeters(registry, tags.and("method", name).and("protocol", PROTOCOLS.get(place)));
      wires.set(place, meters);
    }
    return meters;
  }
}
