package dev.peregrine.rpc.protocol;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the call layer logs while this is open, at INFO and above; kept off the console. */
final class LogCapture extends Handler implements AutoCloseable {

  private static final Logger LOGGER = Logger.getLogger("dev.peregrine.rpc");

  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  LogCapture() {
    FaultLog.beginAnew();
    setLevel(Level.INFO);
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(this);
  }

  /** The records so far. */
  List<LogRecord> records() {
    return List.copyOf(records);
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
