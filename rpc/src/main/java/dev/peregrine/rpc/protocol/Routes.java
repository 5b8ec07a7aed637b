package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.HttpMapping;
import dev.peregrine.rpc.Interceptor;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServerLifecycle;
import dev.peregrine.rpc.ServerObserver;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/**
 * Every method a server serves, by path. Built by one thread, then immutable and shared by all
 * loops, but for {@link #close}.
 */
public final class Routes implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger("dev.peregrine.rpc");

  /** A service that waits longer has gone wrong; what supervises processes kills well before. */
  private static final long MAX_DRAIN_DELAY_NANOS = 600_000_000_000L;

  /** What {@link #serving} calls every path that nothing else answers. */
  public static final String ANY_OTHER_PATH = "/*";

  private final Map<String, BoundMethod<?, ?>> methods = new HashMap<>();
  private final Map<Execution, CallExecutor> executors = new HashMap<>();
  private final List<CallExecutor> executorList = new ArrayList<>();
  private final List<Integer> queueLimits = new ArrayList<>();
  private final Map<String, ServiceDefinition> services = new LinkedHashMap<>();
  private final List<ServerLifecycle> lifecycles = new ArrayList<>();
  private final Set<String> endpoints = new HashSet<>();
  private final CallSettings settings;
  private final Codings codings;
  private final Protocols protocols;
  private final CorsRules cors;
  private final int loops;
  private boolean anyEndpoint;
  private HttpMapping mapping;
  private MappedRequests mappedRequests;

  /**
   * Nothing served yet.
   *
   * @param loops how many event loops will share the executions
   */
  public Routes(CallSettings settings, int loops) {
    this.settings = settings;
    this.loops = loops;
    this.codings = new Codings(settings.compressors(), settings.codecs());
    this.protocols = new Protocols(codings);
    this.cors = settings.cors() == null ? null : new CorsRules(settings.cors());
  }

  /** A part of what is served. Its executions are those of the whole, which closes them. */
  private Routes(Routes whole, Predicate<String> names) {
    this.settings = whole.settings;
    this.loops = whole.loops;
    this.codings = whole.codings;
    this.protocols = whole.protocols;
    this.cors = whole.cors;
    this.mappedRequests = whole.mappedRequests;
    this.anyEndpoint = whole.anyEndpoint && names.test(ANY_OTHER_PATH);
    whole.endpoints.stream().filter(names).forEach(endpoints::add);
    for (ServiceDefinition definition : whole.services.values()) {
      if (names.test(definition.name())) {
        services.put(definition.name(), definition);
        for (ServiceDefinition.Binding<?, ?> binding : definition.bindings()) {
          String path = "/" + binding.method().fullName();
          methods.put(path, whole.methods.get(path));
        }
      }
    }
  }

  /** Nothing served yet, with the default settings but for the limits. */
  public Routes(Limits limits, int loops) {
    this(CallSettings.defaults().withLimits(limits), loops);
  }

  /**
   * Adds a service.
   *
   * @throws IllegalArgumentException in one sentence, if it is there already or one of its handlers
   *     cannot run by this execution
   */
  public void add(Service service, Execution execution) {
    add(service, execution, List.of());
  }

  /** The same with interceptors of the service's own, within those of the server. */
  public void add(Service service, Execution execution, List<Interceptor> own) {
    for (ServiceDefinition definition : service.definitions()) {
      add(definition, execution, own);
    }
    tell(service);
  }

  /** Lets something that was added hear of the server, if that is a {@link ServerLifecycle}. */
  public void tell(Object listener) {
    if (listener instanceof ServerLifecycle lifecycle && !lifecycles.contains(lifecycle)) {
      lifecycles.add(lifecycle);
    }
  }

  private void add(ServiceDefinition definition, Execution execution, List<Interceptor> own) {
    if (services.putIfAbsent(definition.name(), definition) != null) {
      throw new IllegalArgumentException("service " + definition.name() + " was added twice");
    }
    List<Interceptor> interceptors = new ArrayList<>(settings.interceptors());
    interceptors.addAll(own);
    List<ServerObserver> observers = observers();
    addOnce(observers, own);
    for (ServiceDefinition.Binding<?, ?> binding : definition.bindings()) {
      bind(binding, execution, interceptors, List.copyOf(observers));
    }
  }

  private <Q, R> void bind(
      ServiceDefinition.Binding<Q, R> binding,
      Execution execution,
      List<Interceptor> interceptors,
      List<ServerObserver> observers) {
    Method<Q, R> method = binding.method();
    if (binding.handler() instanceof Handler.Streaming && !execution.mayBlock()) {
      throw new IllegalArgumentException(
          method
              + " is a blocking streaming handler and cannot run inline:"
              + " give its service workers or virtual threads, or write it event-driven");
    }
    codings.serves(method.requestCodec());
    codings.serves(method.responseCodec());
    Handler<Q, R> handler = Bindings.wrap(method, binding.handler(), interceptors);
    BatchQueue<Q, R> batches =
        handler instanceof Handler.UnaryBatch<Q, R> batch
            ? new BatchQueue<>(batch, settings.limits().maxBatchCalls())
            : null;
    methods.put(
        "/" + method.fullName(),
        new BoundMethod<>(
            method,
            handler,
            executor(execution),
            execution.interrupts(),
            batches,
            settings.limits(),
            observers));
  }

  /** Who hears of every call, also of those of unknown methods. */
  List<ServerObserver> observers() {
    List<ServerObserver> all = new ArrayList<>();
    addOnce(all, settings.interceptors());
    addOnce(all, settings.observers());
    return all;
  }

  /** Whoever was added twice hears of each call once all the same. */
  private static void addOnce(List<ServerObserver> all, List<? extends ServerObserver> more) {
    for (ServerObserver observer : more) {
      if (all.stream().noneMatch(known -> known == observer)) {
        all.add(observer);
      }
    }
  }

  /** What pages of other origins may do; {@code null} if there is nothing to say. */
  CorsRules cors() {
    return cors;
  }

  /** The protocols, by content type. */
  Protocols protocols() {
    return protocols;
  }

  /** Tells services that want to know that the server is complete. Before it listens. */
  public void starting() {
    List<ServiceDefinition> all = List.copyOf(services.values());
    for (ServerLifecycle lifecycle : lifecycles) {
      lifecycle.onStart(all);
    }
    if (mapping != null) {
      mappedRequests = new MappedRequests(mapping.map(all), protocols.codings());
    }
  }

  /**
   * Tells services that want to know that the server is going to drain, all at the same time, and
   * waits for them. Before it does. An interrupt ends the wait.
   */
  public void draining() {
    List<Thread> told = new ArrayList<>();
    for (ServerLifecycle lifecycle : lifecycles) {
      Thread thread = new Thread(() -> tellDrain(lifecycle), "peregrine-drain-" + told.size());
      thread.setDaemon(true);
      thread.start();
      told.add(thread);
    }
    long endNanos = System.nanoTime() + MAX_DRAIN_DELAY_NANOS;
    try {
      for (Thread thread : told) {
        long leftMillis = (endNanos - System.nanoTime()) / 1_000_000;
        thread.join(Math.max(1, leftMillis));
      }
    } catch (InterruptedException e) {
      told.forEach(Thread::interrupt);
      Thread.currentThread().interrupt();
    }
  }

  private static void tellDrain(ServerLifecycle lifecycle) {
    try {
      lifecycle.onDrain();
    } catch (Exception | Error e) {
      // A fault of one service must not keep the server from stopping.
      LOG.log(System.Logger.Level.WARNING, "onDrain of " + lifecycle + " failed", e);
    }
  }

  /**
   * A part of what is served, for {@link Router#serving}. After {@link #starting}.
   *
   * @param names tells it: names of services, paths of endpoints, and {@link #ANY_OTHER_PATH}
   */
  public Routes serving(Predicate<String> names) {
    return new Routes(this, names);
  }

  /** Whether something is served by this name, as {@link #serving} has them. */
  public boolean knows(String name) {
    return services.containsKey(name)
        || endpoints.contains(name)
        || (anyEndpoint && name.equals(ANY_OTHER_PATH));
  }

  /** Adds a path that is answered by an HTTP endpoint; {@code null} stands for every other path. */
  public void addEndpoint(String path) {
    if (path == null) {
      anyEndpoint = true;
    } else if (!endpoints.add(path)) {
      throw new IllegalArgumentException("endpoint " + path + " was added twice");
    }
  }

  /** Has plain HTTP requests mean calls. Before {@link #starting}. */
  public void mapping(HttpMapping httpMapping) {
    this.mapping = httpMapping;
  }

  /** The plain HTTP requests that mean calls, or {@code null} if none do. */
  MappedRequests mappedRequests() {
    return mappedRequests;
  }

  private CallExecutor executor(Execution execution) {
    if (!execution.mayBlock()) {
      return null;
    }
    CallExecutor executor = executors.get(execution);
    if (executor == null) {
      executor = start(execution, executorList.size());
      executors.put(execution, executor);
      executorList.add(executor);
      queueLimits.add(Math.max(1, execution.queueCalls() / loops));
    }
    return executor;
  }

  private static CallExecutor start(Execution execution, int index) {
    return switch (execution.kind()) {
      case WORKERS -> new WorkerPool(execution.threads(), "peregrine-worker-" + index).start();
      case EXECUTOR -> new TaskExecutor(execution.executor());
      case VIRTUAL_THREADS -> new TaskExecutor(virtualThreads());
      case INLINE -> throw new IllegalArgumentException("inline needs no executor");
    };
  }

  /** Looked up at run time: this is compiled for Java 17, which has none. */
  private static Executor virtualThreads() {
    try {
      return (Executor) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new UnsupportedOperationException("this JVM has no virtual threads", e);
    }
  }

  /** The method of a path, or {@code null}. */
  BoundMethod<?, ?> method(String path) {
    return methods.get(path);
  }

  /** The method of a request target, which may have a query; or {@code null}. */
  BoundMethod<?, ?> methodOfTarget(String target) {
    BoundMethod<?, ?> method = methods.get(target);
    return method == null && target != null ? methods.get(pathOnly(target)) : method;
  }

  /** Whether an endpoint was added for just this path. */
  boolean hasEndpointOfItsOwn(String path) {
    return endpoints.contains(pathOnly(path));
  }

  /** Whether an endpoint answers this path; {@code null} is the target of CONNECT. */
  boolean hasEndpoint(String path) {
    return anyEndpoint || (path != null && endpoints.contains(pathOnly(path)));
  }

  /** The part of a request target before the query. */
  private static String pathOnly(String target) {
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }

  /** The share of one loop in the calls a server may have open. */
  int maxCallsPerLoop() {
    return Math.max(1, settings.limits().maxCalls() / loops);
  }

  int executorIndex(CallExecutor executor) {
    return executorList.indexOf(executor);
  }

  /** One loop's ways to all executions. */
  Dispatch[] dispatches() {
    Dispatch[] dispatches = new Dispatch[executorList.size()];
    for (int i = 0; i < dispatches.length; i++) {
      dispatches[i] = new Dispatch(executorList.get(i), queueLimits.get(i));
    }
    return dispatches;
  }

  /**
   * Ends the threads of the executions, once they have run what they were given; and tells services
   * and observers that want to know that the server has ended.
   */
  @Override
  public void close() {
    executorList.forEach(CallExecutor::close);
    for (ServerLifecycle lifecycle : lifecycles) {
      try {
        lifecycle.onStop();
      } catch (Exception | Error e) {
        // An error, too: the others have files to close and lines to write.
        LOG.log(System.Logger.Level.WARNING, "onStop of " + lifecycle + " failed", e);
      }
    }
  }
}
