package dev.peregrine.rpc;

import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * Where handlers run. A value: the threads it speaks of belong to the server it is given to. The
 * same object, given twice to one server, means the same threads.
 */
public final class Execution {

  /** The four ways. */
  public enum Kind {
    /** On the event loop. */
    INLINE,
    /** On threads of the server. */
    WORKERS,
    /** On the user's executor. */
    EXECUTOR,
    /** On a virtual thread each. */
    VIRTUAL_THREADS
  }

  /**
   * How many calls may wait for a worker before further ones are refused: at 100 µs a call this is
   * about a second of work for one worker, and a few megabytes of requests.
   */
  public static final int DEFAULT_QUEUE_CALLS = 10_000;

  private static final Execution INLINE =
      new Execution(Kind.INLINE, 0, null, Integer.MAX_VALUE, false);

  private final Kind kind;
  private final int threads;
  private final Executor executor;
  private final int queueCalls;
  private final boolean interrupts;

  private Execution(Kind kind, int threads, Executor executor, int queueCalls, boolean interrupts) {
    this.kind = kind;
    this.threads = threads;
    this.executor = executor;
    this.queueCalls = queueCalls;
    this.interrupts = interrupts;
  }

  /**
   * On the event loop itself: no hop, the fastest. A promise that handlers never block; while one
   * runs, every other connection of its loop waits.
   */
  public static Execution inline() {
    return INLINE;
  }

  /**
   * On threads of the server. Calls that arrive together are handed over together, and so are their
   * answers.
   *
   * @param threads ≥ 1
   */
  public static Execution workers(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("workers(" + threads + "): at least 1 is needed");
    }
    return new Execution(Kind.WORKERS, threads, null, DEFAULT_QUEUE_CALLS, true);
  }

  /** On an executor of yours, one task a call. It is not shut down with the server. */
  public static Execution on(Executor executor) {
    Objects.requireNonNull(executor, "executor");
    return new Execution(Kind.EXECUTOR, 0, executor, DEFAULT_QUEUE_CALLS, true);
  }

  /**
   * On a virtual thread each (JDK 21 and later).
   *
   * @throws UnsupportedOperationException on an older JDK
   */
  public static Execution virtualThreads() {
    if (!virtualThreadsAvailable()) {
      throw new UnsupportedOperationException(
          "virtual threads need JDK 21 or later; this is " + Runtime.version());
    }
    return new Execution(Kind.VIRTUAL_THREADS, 0, null, DEFAULT_QUEUE_CALLS, true);
  }

  /** Whether this JVM has virtual threads. */
  public static boolean virtualThreadsAvailable() {
    return Runtime.version().feature() >= 21;
  }

  /** The same, with another bound for calls that wait or run; further ones are refused at once. */
  public Execution withQueue(int calls) {
    if (calls < 1) {
      throw new IllegalArgumentException("withQueue(" + calls + "): at least 1 is needed");
    }
    return new Execution(kind, threads, executor, calls, interrupts);
  }

  /**
   * The same, but a call that is cancelled or late does not interrupt the thread of its handler:
   * for handlers that use libraries which take an interrupt badly.
   */
  public Execution withoutInterrupts() {
    return new Execution(kind, threads, executor, queueCalls, false);
  }

  /** Whether a call that is cancelled or late interrupts the thread of its handler. */
  public boolean interrupts() {
    return interrupts;
  }

  /** The way. */
  public Kind kind() {
    return kind;
  }

  /** The number of threads; 0 unless {@link Kind#WORKERS}. */
  public int threads() {
    return threads;
  }

  /** The user's executor; {@code null} unless {@link Kind#EXECUTOR}. */
  public Executor executor() {
    return executor;
  }

  /** How many calls may wait or run before further ones are refused with RESOURCE_EXHAUSTED. */
  public int queueCalls() {
    return queueCalls;
  }

  /** Whether a handler may block. */
  public boolean mayBlock() {
    return kind != Kind.INLINE;
  }

  @Override
  public String toString() {
    return switch (kind) {
      case INLINE -> "inline";
      case WORKERS -> "workers(" + threads + ")";
      case EXECUTOR -> "on(" + executor + ")";
      case VIRTUAL_THREADS -> "virtualThreads";
    };
  }
}
