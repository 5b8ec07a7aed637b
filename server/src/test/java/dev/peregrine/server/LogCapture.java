package dev.peregrine.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the server logs while this is open, at INFO and above; kept off the console. Any thread. */
final class LogCapture extends Handler implements AutoCloseable {

  private static final Logger LOGGER = Logger.getLogger("dev.peregrine");

  private final List<String> texts = new CopyOnWriteArrayList<>();

  LogCapture() {
    setLevel(Level.INFO);
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(this);
  }

  /** The texts so far. */
  List<String> texts() {
    return List.copyOf(texts);
  }

  @Override
  public void publish(LogRecord entry) {
    if (isLoggable(entry)) {
      texts.add(entry.getMessage());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    LOGGER.removeHandler(this);
    LOGGER.setUseParentHandlers(true);
  }
}
