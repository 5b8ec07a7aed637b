package dev.peregrine.server;

import dev.peregrine.rpc.CodecFactory;
import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Cors;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.HttpMapping;
import dev.peregrine.rpc.Interceptor;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.ServerObserver;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.protocol.CallSettings;
import dev.peregrine.rpc.protocol.Router;
import dev.peregrine.rpc.protocol.Routes;
import dev.peregrine.wire.HttpHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Says what a {@link Server} serves, where and how, and starts it. One thread. */
public final class ServerBuilder {

  /** Kubernetes kills 30 s after SIGTERM; most other supervisors wait longer. */
  private static final Duration DEFAULT_GRACE = Duration.ofSeconds(30);

  /** What the kernel may hold for a loop that is busy; it takes the lesser of this and its own. */
  private static final int DEFAULT_BACKLOG = 4096;

  /**
   * Worker threads where the JVM has no virtual ones. Handlers may block there, on a database say,
   * so there are more of them than processors; each costs little while it waits.
   */
  private static final int DEFAULT_WORKERS = Math.max(16, 4 * processors());

  private record ServiceEntry(
      Service service, Execution execution, List<Interceptor> interceptors) {}

  private final List<ListenSocket> listenSockets = new ArrayList<>();
  private Tls tls;
  private final List<ServiceEntry> services = new ArrayList<>();
  private final List<Interceptor> interceptors = new ArrayList<>();
  private final List<ServerObserver> observers = new ArrayList<>();
  private final Map<String, HttpEndpoint> endpoints = new LinkedHashMap<>();
  private HttpEndpoint fallback;
  private HttpMapping httpMapping;
  private List<Compressor> compressors;
  private List<CodecFactory> codecs;
  private Cors cors;
  private Execution execution =
      Execution.virtualThreadsAvailable()
          ? Execution.virtualThreads()
          : Execution.workers(DEFAULT_WORKERS);
  private int loops = Math.max(1, processors() / 2);
  private long spinNanos;
  private Limits limits = Limits.DEFAULTS;
  private ConnectionLimits connectionLimits = ConnectionLimits.DEFAULTS;
  private ConnectionLifetime lifetime = ConnectionLifetime.DEFAULTS;
  private int backlog = DEFAULT_BACKLOG;
  private boolean reusePort;
  private boolean onTerm = true;
  private Duration grace = DEFAULT_GRACE;
  private boolean sendsDate = true;
  private Duration drainDelay = Duration.ZERO;

  ServerBuilder() {}

  private static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /**
   * Listens on a port of all interfaces, IPv4 and IPv6.
   *
   * @param port 0 lets the system choose; {@link Server#port} tells
   */
  public ServerBuilder port(int port) {
    return bind(new InetSocketAddress(port));
  }

  /** Listens on an address. May be called several times, for several addresses. */
  public ServerBuilder bind(InetSocketAddress address) {
    return listen(ListenSocket.address(address));
  }

  /** Listens on an address with a TLS of its own, whatever {@link #tls} says for others. */
  public ServerBuilder bind(InetSocketAddress address, Tls tls) {
    return listen(ListenSocket.address(address).withTls(tls));
  }

  /**
   * Listens at a path of the file system (a Unix domain socket), in plaintext, for the process's
   * own user. What a server that died has left there is replaced.
   */
  public ServerBuilder unix(Path path) {
    return listen(ListenSocket.unix(path));
  }

  /**
   * The same for others, too.
   *
   * @param permissions of the file, e.g. {@code rw-rw----}: who may write may connect
   * @throws IllegalArgumentException if they are not of this form
   */
  public ServerBuilder unix(Path path, String permissions) {
    return listen(ListenSocket.unix(path).withPermissions(permissions));
  }

  /** Listens at a place with settings of its own. May be called several times. */
  public ServerBuilder listen(ListenSocket socket) {
    listenSockets.add(Objects.requireNonNull(socket, "socket"));
    return this;
  }

  /** Encrypts the connections of all addresses that have no TLS of their own. */
  public ServerBuilder tls(Tls tls) {
    this.tls = Objects.requireNonNull(tls, "tls");
    return this;
  }

  /**
   * Serves a service by the server's {@link #execution}.
   *
   * @param interceptors of this service alone, outermost first, within those of the server
   */
  public ServerBuilder add(Service service, Interceptor... interceptors) {
    services.add(
        new ServiceEntry(Objects.requireNonNull(service, "service"), null, List.of(interceptors)));
    return this;
  }

  /**
   * Serves a service by an execution of its own.
   *
   * @param interceptors of this service alone, outermost first, within those of the server
   */
  public ServerBuilder add(Service service, Execution execution, Interceptor... interceptors) {
    services.add(
        new ServiceEntry(
            Objects.requireNonNull(service, "service"),
            Objects.requireNonNull(execution, "execution"),
            List.of(interceptors)));
    return this;
  }

  /** Puts an interceptor around all services, within those added before. */
  public ServerBuilder intercept(Interceptor interceptor) {
    interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
    return this;
  }

  /** Tells an observer of all calls. */
  public ServerBuilder observe(ServerObserver observer) {
    observers.add(Objects.requireNonNull(observer, "observer"));
    return this;
  }

  /**
   * Which compressions are spoken, in order of preference, instead of gzip and deflate. None at all
   * refuses compressed requests.
   */
  public ServerBuilder compressors(Compressor... compressors) {
    this.compressors = List.of(compressors);
    return this;
  }

  /**
   * Which encodings are spoken beside binary protobuf, instead of those found on the path: for
   * example JSON that ignores unknown fields. None at all refuses JSON.
   */
  public ServerBuilder codecs(CodecFactory... codecs) {
    this.codecs = List.of(codecs);
    return this;
  }

  /**
   * Lets pages of other origins call from browsers, and read what HTTP endpoints answer. By default
   * none may.
   */
  public ServerBuilder cors(Cors cors) {
    this.cors = Objects.requireNonNull(cors, "cors");
    return this;
  }

  /**
   * Where the handlers of services run that have no execution of their own. By default on virtual
   * threads, or before JDK 21 on worker threads: handlers may block. {@link Execution#inline} is
   * faster by far for handlers that only compute.
   */
  public ServerBuilder execution(Execution execution) {
    this.execution = Objects.requireNonNull(execution, "execution");
    return this;
  }

  /**
   * How many event loops there are, by default one for two processors: one loop keeps a processor
   * busy, and handlers on threads of their own, clients on the same machine and the collector need
   * some, too. With {@link Execution#inline} and nothing else on the machine, one for each
   * processor is better.
   */
  public ServerBuilder loops(int loops) {
    if (loops < 1) {
      throw new IllegalArgumentException("loops(" + loops + "): at least 1 is needed");
    }
    this.loops = loops;
    return this;
  }

  /**
   * How long a loop looks for more work before it sleeps; zero by default. You trade processor time
   * for latency: one call at a time on one connection is answered in about half the time, and while
   * calls keep coming each loop keeps a processor busy. Around 50 µs is sensible. Never spin with
   * more loops than processors.
   */
  public ServerBuilder spin(Duration time) {
    if (time.isNegative() || time.compareTo(Duration.ofSeconds(1)) > 0) {
      throw new IllegalArgumentException("spin(" + time + ") is not in 0..1 s");
    }
    this.spinNanos = time.toNanos();
    return this;
  }

  /** What a call may use at most. */
  public ServerBuilder limits(Limits limits) {
    this.limits = Objects.requireNonNull(limits, "limits");
    return this;
  }

  /** What connections may use at most. */
  public ServerBuilder connectionLimits(ConnectionLimits limits) {
    this.connectionLimits = Objects.requireNonNull(limits, "limits");
    return this;
  }

  /** How long connections live, and how often clients may ping. */
  public ServerBuilder lifetime(ConnectionLifetime lifetime) {
    this.lifetime = Objects.requireNonNull(lifetime, "lifetime");
    return this;
  }

  /**
   * Answers plain HTTP requests for a path. An endpoint that implements {@link
   * dev.peregrine.rpc.ServerLifecycle} hears of the server as a service does.
   *
   * @param path as it is sent, from its slash on, without a query
   */
  public ServerBuilder http(String path, HttpEndpoint endpoint) {
    if (!path.startsWith("/") || path.indexOf('?') >= 0) {
      throw new IllegalArgumentException("\"" + path + "\" is not a path: it begins with /, no ?");
    }
    if (endpoints.putIfAbsent(path, Objects.requireNonNull(endpoint, "endpoint")) != null) {
      throw new IllegalArgumentException("endpoint " + path + " was added twice");
    }
    return this;
  }

  /**
   * Lets plain HTTP requests mean calls, e.g. by annotations: {@code new Transcoding()}. Paths of
   * methods and of {@link #http endpoints} go before, the {@link #httpFallback fallback} behind.
   */
  public ServerBuilder httpMapping(HttpMapping mapping) {
    this.httpMapping = Objects.requireNonNull(mapping, "mapping");
    return this;
  }

  /** Answers plain HTTP requests for every path that nothing else answers. */
  public ServerBuilder httpFallback(HttpEndpoint endpoint) {
    this.fallback = Objects.requireNonNull(endpoint, "endpoint");
    return this;
  }

  /**
   * Whether responses over HTTP/1.1 carry a date, as RFC 9110 asks of servers with a clock; on by
   * default. Without it each is 37 bytes shorter.
   */
  public ServerBuilder date(boolean on) {
    this.sendsDate = on;
    return this;
  }

  /** How many connections the kernel may hold until they are accepted, 4096 by default. */
  public ServerBuilder backlog(int connections) {
    if (connections < 1) {
      throw new IllegalArgumentException("backlog(" + connections + "): at least 1 is needed");
    }
    this.backlog = connections;
    return this;
  }

  /**
   * Whether other processes may listen on the same port (SO_REUSEPORT), so that a successor can
   * start while this server drains. Off by default, because it hides that a port is taken: two
   * servers started by mistake would share the calls.
   */
  public ServerBuilder reusePort(boolean on) {
    this.reusePort = on;
    return this;
  }

  /** Whether SIGTERM and SIGINT drain the server with its {@link #grace}; on by default. */
  public ServerBuilder onTerm(boolean drain) {
    this.onTerm = drain;
    return this;
  }

  /**
   * How long the server goes on as before once it was told to stop, after its services have heard
   * of it ({@link dev.peregrine.rpc.ServerLifecycle#onDrain}: health says NOT_SERVING) and before
   * it drains: none by default. Make it somewhat longer than whoever sends clients here needs to
   * notice. An interrupt of the thread that stops the server ends it.
   */
  public ServerBuilder drainDelay(Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("drainDelay(" + delay + ") is negative");
    }
    this.drainDelay = delay;
    return this;
  }

  /**
   * How long calls may take to end when the server is closed, or told to by SIGTERM: 30 s by
   * default. Let your supervisor wait somewhat longer before it kills.
   */
  public ServerBuilder grace(Duration grace) {
    if (grace.isNegative()) {
      throw new IllegalArgumentException("grace(" + grace + ") is negative");
    }
    this.grace = grace;
    return this;
  }

  /**
   * Starts the server: when this returns, its ports accept connections.
   *
   * @throws ServerStartException if the machine does not let it, e.g. the port is taken
   * @throws IllegalArgumentException if what was asked for makes no sense, e.g. a service added
   *     twice, or a blocking streaming handler that is to run inline
   */
  public Server start() {
    if (listenSockets.isEmpty()) {
      throw new IllegalArgumentException("no port: call port(int) or bind(address) first");
    }
    Routes routes = new Routes(settings(), loops);
    Sites sites = new Sites();
    boolean started = false;
    try {
      addAll(routes);
      routes.starting();
      listenSockets.forEach(socket -> socket.served().check(routes));
      for (ListenSocket socket : listenSockets) {
        sites.bind(socket, tls, loops, backlog, reusePort);
      }
      Server server = start(routes, sites);
      started = true;
      return server;
    } catch (IOException e) {
      throw new ServerStartException("the event loops cannot be made: " + e.getMessage(), e);
    } finally {
      if (!started) {
        sites.close();
        routes.close();
      }
    }
  }

  private CallSettings settings() {
    CallSettings defaults = CallSettings.defaults();
    return new CallSettings(
        limits,
        interceptors,
        observers,
        compressors == null ? defaults.compressors() : compressors,
        codecs == null ? defaults.codecs() : codecs,
        cors);
  }

  private void addAll(Routes routes) {
    interceptors.forEach(routes::tell);
    observers.forEach(routes::tell);
    for (ServiceEntry entry : services) {
      routes.add(
          entry.service(),
          entry.execution() == null ? execution : entry.execution(),
          entry.interceptors());
    }
    endpoints.forEach(
        (path, endpoint) -> {
          routes.addEndpoint(path);
          routes.tell(endpoint);
        });
    routes.mapping(httpMapping);
    if (fallback != null) {
      routes.addEndpoint(null);
      routes.tell(fallback);
    }
  }

  private Server start(Routes routes, Sites sites) throws IOException {
    ServerWatch watch = new ServerWatch(observers);
    ConnectionBudget budget =
        new ConnectionBudget(
            connectionLimits.maxConnections(), connectionLimits.maxConnectionsPerAddress(), watch);
    List<EventLoop> all = new ArrayList<>();
    Shutdown shutdown =
        new Shutdown(
            all,
            loops,
            routes::draining,
            ConnectionLimits.nanos(drainDelay),
            () -> {
              sites.ended();
              routes.close();
            });
    QueuedBytes queued =
        new QueuedBytes(
            connectionLimits.maxQueuedBytes(), () -> all.forEach(loop -> loop.execute(() -> {})));
    SharedState shared =
        new SharedState(
            budget, shutdown, watch, queued, Math.max(1, connectionLimits.maxHandshakes() / loops));
    for (int i = 0; i < loops; i++) {
      all.add(new EventLoop(i, spinNanos, shared));
    }
    sites.listen(all, budget);
    Server server = new Server(sites, all, shared, grace);
    EngineSettings settings =
        new EngineSettings(
            lifetime.applyTo(connectionLimits.toHttp1()),
            connectionLimits.toHttp2().withLife(lifetime.toLife()),
            sendsDate,
            ConnectionLimits.nanos(connectionLimits.openingTime()),
            ConnectionLimits.nanos(connectionLimits.handshakeTime()));
    KnockLog knocks = new KnockLog();
    for (EventLoop loop : all) {
      Router router = new Router(routes, loop, endpoints(ServedNames.ALL));
      loop.start(
          new ServerEngines(router, handlers(routes, router, sites), settings, loop, knocks));
    }
    if (onTerm) {
      server.installTermHook();
    }
    return server;
  }

  /** Who hears of requests, by what can be had where they arrive. */
  private Map<ServedNames, HttpHandler> handlers(Routes routes, Router router, Sites sites) {
    Map<ServedNames, HttpHandler> handlers = new HashMap<>();
    for (ServedNames served : sites.served()) {
      handlers.put(
          served,
          served.equals(ServedNames.ALL)
              ? router
              : router.serving(routes.serving(served::contains), endpoints(served)));
    }
    return handlers;
  }

  private HttpHandler endpoints(ServedNames served) {
    Map<String, HttpEndpoint> byPath = served.of(endpoints);
    HttpEndpoint others = served.contains(Routes.ANY_OTHER_PATH) ? fallback : null;
    return byPath.isEmpty() && others == null
        ? null
        : new Endpoints(byPath, others, limits.maxRequestBytes());
  }
}
