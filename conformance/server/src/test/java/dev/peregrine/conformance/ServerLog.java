package dev.peregrine.conformance;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the server logs while this is open, at INFO and above; kept off the console. Any thread. */
final class ServerLog extends Handler implements AutoCloseable {

  private static final Logger LOGGER = Logger.getLogger("dev.peregrine");

  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  ServerLog() {
    setLevel(Level.INFO);
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(this);
  }

  /** The entries so far. */
  List<LogRecord> records() {
    return List.copyOf(records);
  }

  /** The texts of the entries so far. */
  List<String> texts() {
    return records.stream().map(LogRecord::getMessage).toList();
  }

  @Override
  public void publish(LogRecord entry) {
    if (isLoggable(entry)) {
      records.add(entry);
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
