package dev.peregrine.wire;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps attacks out of the build's log. One thread. */
public final class QuietLog implements BeforeEachCallback, AfterEachCallback {

  /** Held, since the JDK forgets the levels of loggers nobody holds. */
  private final Logger logger = Logger.getLogger("dev.peregrine");

  @Override
  public void beforeEach(ExtensionContext context) {
    logger.setLevel(Level.OFF);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    logger.setLevel(null);
  }
}
