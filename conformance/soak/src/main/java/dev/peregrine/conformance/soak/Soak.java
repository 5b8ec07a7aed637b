package dev.peregrine.conformance.soak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs the soak against a server of its own, prints a line for each check, and exits with 0 if all
 * hold. Main thread.
 *
 * <p>Arguments: how many calls to make, and as many again to cancel; and how many seconds each
 * phase with a stalled client takes.
 */
public final class Soak {

  private static final int CLIENTS = 4;
  private static final int IDLE_SECONDS = 30;
  private static final int WARM_UP_SHARE = 20;
  private static final int MAX_WARM_UP_CALLS = 20_000;

  /** What the JDK itself keeps more of after a while, e.g. of sockets and of compiled code. */
  private static final int HEAP_NOISE_BYTES = 2 * 1024 * 1024;

  private final ServerProcess server;
  private final Checks checks = new Checks();
  private final int calls;
  private final long phaseNanos;

  private Soak(ServerProcess server, int calls, long phaseNanos) {
    this.server = server;
    this.calls = calls;
    this.phaseNanos = phaseNanos;
  }

  /** Runs everything. */
  public static void main(String[] args) throws Exception {
    int calls = Integer.parseInt(args[0]);
    long phaseNanos = (long) (Double.parseDouble(args[1]) * 1e9);
    boolean well;
    System.out.println("JDK " + Runtime.version() + ", " + Variant.all().size() + " variants");
    try (ServerProcess server = new ServerProcess()) {
      well = new Soak(server, calls, phaseNanos).run();
    }
    System.exit(well ? 0 : 1);
  }

  private boolean run() throws Exception {
    int warmUp = Math.min(calls / WARM_UP_SHARE, MAX_WARM_UP_CALLS);
    mixed("warm-up", warmUp, 1);
    cancel(warmUp, 2);
    ServerState before = server.idle(IDLE_SECONDS);
    Map<String, Long> objectsBefore = server.liveObjects();

    long start = System.nanoTime();
    List<Cancelled> clients = cancel(calls, 3);
    double seconds = (System.nanoTime() - start) / 1e9;
    ServerState state = server.state();
    String rate = Math.round(calls / seconds) + "/s";
    System.out.printf(
        "the server began %d calls, and refused %d%n",
        state.started() - before.started(), state.refused() - before.refused());
    checks.check(
        "cancelled: nobody is cut",
        clients.stream().allMatch(client -> client.cut() == 0),
        Cancelled.summary(clients) + ", " + rate + cuts(clients));
    nothingIsLeft("cancelled", before, objectsBefore);

    start = System.nanoTime();
    mixed("mixed", calls, 4);
    System.out.printf("%d calls in %.0f s%n", calls, (System.nanoTime() - start) / 1e9);
    nothingIsLeft("mixed", before, objectsBefore);

    new Stalled(server, checks, phaseNanos).run();
    nothingIsLeft("stalled", before, objectsBefore);
    checks.check("the server ends", server.stop(), "told to, by the end of its input");
    return checks.finish();
  }

  private static String cuts(List<Cancelled> clients) {
    for (Cancelled client : clients) {
      if (client.cut() > 0) {
        return "; " + client.cut() + " cut, the first: " + client.firstCut();
      }
    }
    return "";
  }

  private List<Cancelled> cancel(int count, int seed) throws Exception {
    List<Cancelled> clients = new ArrayList<>();
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Cancelled client = new Cancelled(server.port(), 100L * seed + i);
      clients.add(client);
      tasks.add(
          () -> {
            client.run(count / CLIENTS);
            return null;
          });
    }
    runAll(tasks);
    return clients;
  }

  private void mixed(String what, int count, int seed) throws Exception {
    List<Mixed> clients = new ArrayList<>();
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Mixed client = new Mixed(server.port(), 100L * seed + i);
      clients.add(client);
      tasks.add(
          () -> {
            client.run(count / CLIENTS);
            return null;
          });
    }
    runAll(tasks);
    long right = clients.stream().mapToLong(Mixed::right).sum();
    long wrong = clients.stream().mapToLong(Mixed::wrong).sum();
    String fault = "";
    for (Mixed client : clients) {
      fault = client.firstFault() == null ? fault : "; " + client.firstFault();
    }
    int asked = count / CLIENTS * CLIENTS;
    checks.check(
        what + ": every call answered rightly",
        right == asked && wrong == 0,
        right + " of " + asked + " right, " + wrong + " wrong" + fault);
  }

  /** Runs everything at once; the first fault of any is thrown: a call that is lost is one. */
  private static void runAll(List<Callable<Void>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      for (Future<Void> done : threads.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private void nothingIsLeft(String what, ServerState before, Map<String, Long> objectsBefore)
      throws IOException, InterruptedException {
    ServerState after = server.idle(IDLE_SECONDS);
    checks.check(
        what + ": no call, no connection is left",
        after.isIdle(),
        after.open() + " calls, " + after.connections() + " connections");
    checks.check(
        what + ": no thread is left",
        after.threads() <= before.threads(),
        before.threads() + " before, " + after.threads() + " after");
    checks.check(
        what + ": no memory is left",
        after.heapBytes() - before.heapBytes() <= HEAP_NOISE_BYTES,
        before.heapBytes() / 1024 + " KiB live before, " + after.heapBytes() / 1024 + " after");
    List<String> more = new ArrayList<>();
    server
        .liveObjects()
        .forEach(
            (name, count) -> {
              long earlier = objectsBefore.getOrDefault(name, 0L);
              // One of each event is a constant, made when it is first needed.
              if (count > earlier && !(name.endsWith("Event") && count == 1)) {
                more.add(name + " " + earlier + " -> " + count);
              }
            });
    checks.check(
        what + ": no object is left", more.isEmpty(), more.isEmpty() ? "none" : more.toString());
  }
}
