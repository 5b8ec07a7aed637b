package dev.peregrine.conformance.soak;

import dev.peregrine.rpc.Execution;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * One service: the same five methods, by one execution in one style. Immutable.
 *
 * @param name of the service, without {@link #PACKAGE}
 * @param execution where its handlers run
 * @param events whether they are event-driven, rather than blocking
 */
record Variant(String name, Execution execution, boolean events) {

  static final String PACKAGE = "soak.";

  static final String UNARY = "Unary";
  static final String DOWNLOAD = "Download";
  static final String UPLOAD = "Upload";
  static final String CHAT = "Chat";

  /** Unary, never answered: ends by its cancellation. */
  static final String PARK = "Park";

  private static final int WORKERS = 4;

  /** The names alone, for a client, of what a server on this JVM serves. */
  static List<Variant> all() {
    return all(Runnable::run);
  }

  /**
   * Every way to serve that this JVM has.
   *
   * @param executor for the services on an executor of their own
   */
  static List<Variant> all(Executor executor) {
    List<Variant> all = new ArrayList<>();
    all.add(new Variant("InlineEvents", Execution.inline(), true));
    addBoth(all, "OneWorker", Execution.workers(1));
    addBoth(all, "Workers", Execution.workers(WORKERS));
    addBoth(all, "Executor", Execution.on(executor));
    if (Execution.virtualThreadsAvailable()) {
      addBoth(all, "Virtual", Execution.virtualThreads());
    }
    return all;
  }

  private static void addBoth(List<Variant> all, String name, Execution execution) {
    all.add(new Variant(name + "Blocking", execution, false));
    all.add(new Variant(name + "Events", execution, true));
  }

  /** {@code :path} of a method. */
  String path(String method) {
    return "/" + PACKAGE + name + "/" + method;
  }
}
