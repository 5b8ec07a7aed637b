package dev.peregrine.server;

import java.io.Serial;

/**
 * A server could not be started because of the machine it runs on: a port that is taken, a
 * permission that is missing. The message is one sentence for a person. Faults in the server's own
 * configuration are {@link IllegalArgumentException}s instead.
 */
public final class ServerStartException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1;

  ServerStartException(String message, Throwable cause) {
    super(message, cause);
  }
}
