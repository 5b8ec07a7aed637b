package dev.peregrine.examples;

import dev.peregrine.rpc.Execution;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executors;

/** One thread. The command line of {@link HelloWorld}; zero and {@code null} mean "not given". */
final class HelloOptions {

  static final int DEFAULT_PORT = 7000;

  static final String USAGE =
      """
      Serves helloworld.Greeter/SayHello and helloworld.v1.Greeter/Hello.

        --port P        listen on port P; 0 lets the system choose (default 7000)
        --mode MODE     where handlers run (default: virtual where the JVM has them, else workers):
                          inline     on the event loop, without a hop
                          workers    on threads of the server
                          executor   on a thread pool of this program
                          virtual    on a virtual thread each (JDK 21 and later)
        --workers N     threads for the modes workers and executor (default: one a processor)
        --loops N       event loops (default: one for two processors)
        --spin MICROS   look for work that long before a loop sleeps (default 0)
        --help          print this
      """;

  private static final int MAX_PORT = 65_535;
  private static final int MAX_THREADS = 10_000;
  private static final int MAX_SPIN_MICROS = 1_000_000;

  private int port = DEFAULT_PORT;
  private String mode;
  private int workers;
  private int loops;
  private int spinMicros;
  private boolean help;

  private HelloOptions() {}

  /**
   * Reads a command line.
   *
   * @throws IllegalArgumentException with one sentence for the user
   */
  static HelloOptions parse(List<String> arguments) {
    HelloOptions options = new HelloOptions();
    Iterator<String> rest = arguments.iterator();
    while (rest.hasNext()) {
      options.read(rest.next(), rest);
    }
    if (options.workers > 0 && options.mode == null) {
      options.mode = "workers";
    }
    if (options.workers > 0
        && !options.mode.equals("workers")
        && !options.mode.equals("executor")) {
      throw new IllegalArgumentException("--workers means nothing with --mode " + options.mode);
    }
    return options;
  }

  private void read(String flag, Iterator<String> rest) {
    switch (flag) {
      case "--help" -> help = true;
      case "--port" -> port = number(flag, rest, 0, MAX_PORT);
      case "--workers" -> workers = number(flag, rest, 1, MAX_THREADS);
      case "--loops" -> loops = number(flag, rest, 1, MAX_THREADS);
      case "--spin" -> spinMicros = number(flag, rest, 0, MAX_SPIN_MICROS);
      case "--mode" -> mode = mode(value(flag, rest));
      default -> throw new IllegalArgumentException("unknown flag " + flag + "; try --help");
    }
  }

  private static String mode(String value) {
    return switch (value) {
      case "inline", "workers", "executor", "virtual" -> value;
      default ->
          throw new IllegalArgumentException(
              "--mode is inline, workers, executor or virtual, not \"" + value + "\"");
    };
  }

  private static String value(String flag, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(flag + " needs a value; try --help");
    }
    return rest.next();
  }

  private static int number(String flag, Iterator<String> rest, int least, int most) {
    String text = value(flag, rest);
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The same answer as for a number out of range.
    }
    throw new IllegalArgumentException(
        flag + " is a number from " + least + " to " + most + ", not \"" + text + "\"");
  }

  boolean help() {
    return help;
  }

  int port() {
    return port;
  }

  /** The loops asked for, 0 for the server's default. */
  int loops() {
    return loops;
  }

  Duration spin() {
    return Duration.ofNanos(spinMicros * 1000L);
  }

  /**
   * Where handlers run, {@code null} for the server's default.
   *
   * @throws IllegalArgumentException if this JVM has no virtual threads
   */
  Execution execution() {
    if (mode == null) {
      return null;
    }
    int threads = workers > 0 ? workers : Runtime.getRuntime().availableProcessors();
    return switch (mode) {
      case "inline" -> Execution.inline();
      case "workers" -> Execution.workers(threads);
      case "executor" ->
          // Daemons: the pool must not keep the JVM when the server has ended.
          Execution.on(
              Executors.newFixedThreadPool(
                  threads,
                  task -> {
                    Thread thread = new Thread(task, "hello-executor");
                    thread.setDaemon(true);
                    return thread;
                  }));
      default -> virtualThreads();
    };
  }

  private static Execution virtualThreads() {
    if (!Execution.virtualThreadsAvailable()) {
      throw new IllegalArgumentException(
          "--mode virtual needs JDK 21 or later; this is " + Runtime.version().feature());
    }
    return Execution.virtualThreads();
  }
}
