package dev.peregrine.server;

import dev.peregrine.rpc.protocol.LogText;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * The log of the server. Any thread.
 *
 * <p>Loggers fail when memory or file descriptors run out, which is just when loops have something
 * to say. A line that cannot be written is lost; the loop goes on.
 */
final class Log {

  private static final Logger LOGGER = System.getLogger("dev.peregrine");

  /** Of a line that may quote a peer. */
  private static final int MAX_CHARS = 512;

  private Log() {}

  static void error(String line, Throwable cause) {
    log(Level.ERROR, line, cause);
  }

  static void warn(String line) {
    log(Level.WARNING, line, null);
  }

  static void warn(String line, Throwable cause) {
    log(Level.WARNING, line, cause);
  }

  static void info(String line) {
    log(Level.INFO, line, null);
  }

  /** Of what ends connections every day: with its kind of cause, but never a stack trace. */
  static void debug(String line, Throwable cause) {
    try {
      if (LOGGER.isLoggable(Level.DEBUG)) {
        // Causes quote what the peer sent.
        LOGGER.log(Level.DEBUG, LogText.line(line + ": " + cause, MAX_CHARS));
      }
    } catch (Throwable e) {
      drop(e);
    }
  }

  private static void log(Level level, String line, Throwable cause) {
    try {
      LOGGER.log(level, line, cause);
    } catch (Throwable e) {
      drop(e);
    }
  }

  private static void drop(@SuppressWarnings("unused") Throwable e) {
    // Whatever we tried now would fail as well.
  }
}
