package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Method;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Where faults of handlers, of their threads and of observers are named. Never throws, as a fault
 * may be that there is no memory left: then the line is lost, and whoever logs goes on. Any thread.
 */
final class FaultLog {

  private static final Logger LOG = System.getLogger("dev.peregrine.rpc");

  private FaultLog() {}

  /** Names a fault of a handler's code, or that there was one which cannot even be printed. */
  static void handler(String what, Method<?, ?> method, Throwable fault) {
    try {
      LOG.log(Level.WARNING, what + " of " + method + " failed", fault);
    } catch (Throwable t) {
      try {
        LOG.log(Level.WARNING, what + " of " + method + " failed unprintably");
      } catch (Throwable again) {
        drop(again);
      }
    }
  }

  /** Names a fault that a thread outlives; the line is made beforehand. */
  static void thread(String line, Throwable fault) {
    try {
      LOG.log(Level.ERROR, line, fault);
    } catch (Throwable t) {
      drop(t);
    }
  }

  /** Names a fault of an observer. */
  static void observer(Throwable fault) {
    try {
      LOG.log(Level.WARNING, "an observer failed", fault);
    } catch (Throwable t) {
      drop(t);
    }
  }

  private static void drop(@SuppressWarnings("unused") Throwable t) {
    // Whatever we tried now would fail as well.
  }
}
