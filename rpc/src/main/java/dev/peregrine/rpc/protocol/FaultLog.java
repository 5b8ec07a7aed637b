package dev.peregrine.rpc.protocol;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;

/**
 * Where faults of handlers, of their threads and of observers are named: the first few of a kind,
 * then one a second with the number of those left out, as a stack trace for each call would let any
 * client fill the disk. Never throws, as a fault may be that there is no memory left: then the line
 * is lost, and whoever logs goes on. Any thread.
 */
final class FaultLog {

  private static final Logger LOG = System.getLogger("dev.peregrine.rpc");

  /** Who writes a handler sees its first faults whole. */
  private static final int FIRST_LINES = 10;

  /**
   * Kinds share so many limits, by their hash, so that they take the same memory however many
   * methods and classes of exceptions there are. A power of two.
   */
  private static final int LIMITS = 64;

  private static final LogLimit[] BY_KIND = new LogLimit[LIMITS];

  static {
    beginAnew();
  }

  private FaultLog() {}

  /**
   * Each kind has its first lines again. Before anything is logged; tests do so before each look.
   */
  static void beginAnew() {
    Arrays.setAll(BY_KIND, i -> new LogLimit(FIRST_LINES));
  }

  /** Names a fault of a handler's code, or that there was one which cannot even be printed. */
  static void handler(String what, BoundMethod<?, ?> bound, Throwable fault) {
    try {
      LogLimit limit = limit(what, bound, fault);
      if (limit.permits(System.nanoTime())) {
        String line = what + " of " + bound.method() + " failed";
        try {
          LOG.log(Level.WARNING, line + limit.takeSuppressed(), fault);
        } catch (Throwable t) {
          LOG.log(Level.WARNING, line + " unprintably");
        }
      }
    } catch (Throwable t) {
      drop(t);
    }
  }

  /** Names what a handler did that it must not do. */
  static void misuse(BoundMethod<?, ?> bound, String what) {
    try {
      LogLimit limit = limit(what, bound, null);
      if (limit.permits(System.nanoTime())) {
        LOG.log(
            Level.WARNING, "handler of " + bound.method() + " " + what + limit.takeSuppressed());
      }
    } catch (Throwable t) {
      drop(t);
    }
  }

  /** Names a fault that a thread outlives; the line is made beforehand. */
  static void thread(String line, Throwable fault) {
    try {
      LogLimit limit = limit(line, FaultLog.class, fault);
      if (limit.permits(System.nanoTime())) {
        LOG.log(Level.ERROR, line, fault);
      }
    } catch (Throwable t) {
      drop(t);
    }
  }

  /** Names a fault of an observer. */
  static void observer(Object observer, Throwable fault) {
    try {
      LogLimit limit = limit("observer", observer, fault);
      if (limit.permits(System.nanoTime())) {
        LOG.log(Level.WARNING, "an observer failed" + limit.takeSuppressed(), fault);
      }
    } catch (Throwable t) {
      drop(t);
    }
  }

  private static LogLimit limit(String what, Object whose, Throwable fault) {
    int hash = what.hashCode() * 31 + System.identityHashCode(whose);
    hash = hash * 31 + (fault == null ? 0 : fault.getClass().hashCode());
    // Identity hashes differ in their low bits; those of texts may do so in the high ones alone.
    return BY_KIND[(hash ^ hash >>> 16) & LIMITS - 1];
  }

  private static void drop(@SuppressWarnings("unused") Throwable t) {
    // Whatever we tried now would fail as well.
  }
}
