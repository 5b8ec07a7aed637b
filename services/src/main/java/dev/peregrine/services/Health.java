package dev.peregrine.services;

import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.ServerLifecycle;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import dev.peregrine.services.health.v1.HealthCheckRequest;
import dev.peregrine.services.health.v1.HealthCheckResponse;
import dev.peregrine.services.health.v1.HealthListRequest;
import dev.peregrine.services.health.v1.HealthListResponse;
import dev.peregrine.services.health.v1.HealthProto;
import dev.peregrine.services.health.v1.HealthService;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Any thread. Tells load balancers and orchestrators whether to send calls: the service {@code
 * grpc.health.v1.Health} with Check, List and Watch.
 *
 * <p>A new one says SERVING for the server as a whole, whose name is empty, and knows no other name
 * until it is {@link #set}. When the server it was added to is told to stop, everything becomes
 * NOT_SERVING before the drain begins, and Check answers until its end. One server each.
 *
 * <p>Its handlers never block: it may be added with any execution, inline as well.
 */
public final class Health implements Service, ServerLifecycle {

  /** The protocol's bound for List: what a server with more services answers is an error. */
  static final int MAX_LISTED_SERVICES = 100;

  /**
   * Longer names are refused, in characters. A Watch keeps its name, known or not, as long as it is
   * open; real names are a tenth of this.
   */
  static final int MAX_NAME_LENGTH = 1024;

  private static final String SERVER = "";

  private final Map<String, ServingStatus> statuses = new ConcurrentHashMap<>();
  private final Set<HealthWatch> watches = ConcurrentHashMap.newKeySet();
  private final Duration drainDelay;
  private volatile boolean lameDuck;
  private volatile boolean draining;
  private volatile boolean ending;

  /** The server as a whole is SERVING, no other name is known. */
  public Health() {
    this(Duration.ZERO);
  }

  /**
   * The same, for clients and load balancers that need time to notice.
   *
   * @param drainDelay how long the server goes on serving, and says NOT_SERVING, after it was told
   *     to stop and before it drains: somewhat longer than the period of the slowest probe. It is
   *     spent before the server's grace
   */
  public Health(Duration drainDelay) {
    if (drainDelay.isNegative()) {
      throw new IllegalArgumentException("a drain delay of " + drainDelay + " is negative");
    }
    this.drainDelay = drainDelay;
    statuses.put(SERVER, ServingStatus.SERVING);
  }

  /**
   * Says how a service is, and tells those who watch it. While the server drains or is a lame duck
   * it is only remembered.
   *
   * @param service any name the clients will ask for, usually {@code package.Service}; empty for
   *     the server as a whole; at most 1024 characters
   * @throws IllegalArgumentException if the name is longer
   */
  public void set(String service, ServingStatus status) {
    if (service.length() > MAX_NAME_LENGTH) {
      throw new IllegalArgumentException(
          "a name of " + service.length() + " characters; " + MAX_NAME_LENGTH + " are allowed");
    }
    statuses.put(service, Objects.requireNonNull(status, "status"));
    tell(service);
  }

  /**
   * Forgets a service: Check answers NOT_FOUND, and those who watch it are told SERVICE_UNKNOWN.
   *
   * @param service a name as given to {@link #set}; one that is not known is no error
   */
  public void clear(String service) {
    if (statuses.remove(service) != null) {
      tell(service);
    }
  }

  /**
   * Says NOT_SERVING for everything, while the server goes on serving: clients and load balancers
   * have time to go elsewhere. Ends with {@link #resume}. Idempotent.
   */
  public void enterLameDuck() {
    lameDuck = true;
    watches.forEach(HealthWatch::tell);
  }

  /** Ends {@link #enterLameDuck}: every service is again what it was last set to. Idempotent. */
  public void resume() {
    lameDuck = false;
    watches.forEach(HealthWatch::tell);
  }

  @Override
  public void onStart(List<ServiceDefinition> services) {
    draining = false;
    ending = false;
  }

  /**
   * Says NOT_SERVING for everything, waits for the drain delay (an interrupt ends it), and ends
   * every Watch: a stream that never ends would keep the server from having drained.
   */
  @Override
  public void onDrain() {
    draining = true;
    watches.forEach(HealthWatch::tell);
    try {
      TimeUnit.NANOSECONDS.sleep(TimeUnit.NANOSECONDS.convert(drainDelay));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ending = true;
    watches.forEach(HealthWatch::end);
  }

  @Override
  public ServiceDefinition definition() {
    return ServiceDefinition.of(HealthService.CHECK.serviceName(), HealthProto::getDescriptor)
        .unary(HealthService.CHECK, this::check)
        .unary(HealthService.LIST, this::list)
        .eventDriven(HealthService.WATCH, call -> new HealthWatch(this, call));
  }

  private HealthCheckResponse check(HealthCheckRequest request, Context context) {
    HealthCheckResponse.ServingStatus status = status(checkedName(request));
    if (status == HealthCheckResponse.ServingStatus.SERVICE_UNKNOWN) {
      throw Status.NOT_FOUND.withMessage("unknown service").exception();
    }
    return response(status);
  }

  private HealthListResponse list(HealthListRequest request, Context context) {
    HealthListResponse.Builder all = HealthListResponse.newBuilder();
    for (String service : statuses.keySet()) {
      if (all.getStatusesCount() == MAX_LISTED_SERVICES) {
        throw Status.RESOURCE_EXHAUSTED
            .withMessage("more than " + MAX_LISTED_SERVICES + " services: use Check")
            .exception();
      }
      HealthCheckResponse.ServingStatus status = status(service);
      if (status != HealthCheckResponse.ServingStatus.SERVICE_UNKNOWN) {
        all.putStatuses(service, response(status));
      }
    }
    return all.build();
  }

  /** The name asked for, if it is not too long. */
  static String checkedName(HealthCheckRequest request) {
    if (request.getService().length() > MAX_NAME_LENGTH) {
      throw Status.INVALID_ARGUMENT.withMessage("the name is too long").exception();
    }
    return request.getService();
  }

  /** What can be said of a service now. */
  HealthCheckResponse.ServingStatus status(String service) {
    ServingStatus status = statuses.get(service);
    if (status == null) {
      return HealthCheckResponse.ServingStatus.SERVICE_UNKNOWN;
    }
    return lameDuck || draining ? HealthCheckResponse.ServingStatus.NOT_SERVING : status.onWire();
  }

  static HealthCheckResponse response(HealthCheckResponse.ServingStatus status) {
    return HealthCheckResponse.newBuilder().setStatus(status).build();
  }

  private void tell(String service) {
    for (HealthWatch watch : watches) {
      if (watch.isOf(service)) {
        watch.tell();
      }
    }
  }

  /** From now on this one is told. */
  void add(HealthWatch watch) {
    watches.add(watch);
    // After it was added: what changes later finds it, what changed earlier is seen here.
    if (ending) {
      watch.end();
    } else {
      watch.tell();
    }
  }

  /** How many calls of Watch are open. */
  int watches() {
    return watches.size();
  }

  void remove(HealthWatch watch) {
    watches.remove(watch);
  }
}
