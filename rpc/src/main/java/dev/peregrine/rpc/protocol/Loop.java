package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Limit;
import dev.peregrine.wire.Transport;

/**
 * What a call needs of its event loop. Implemented by the loop; {@link #outbox} is for any thread.
 */
public interface Loop {

  /** The loop's monotonic clock in nanoseconds, read once per turn. Loop-confined. */
  long nowNanos();

  /** The way from any thread to this loop. */
  Outbox outbox();

  /** The deadlines of this loop's calls. Loop-confined. */
  Deadlines deadlines();

  /** Whether the caller runs on the loop. Any thread. */
  boolean inLoop();

  /**
   * Whether one more call of a connection fits in the memory that the server has for bytes which
   * wait. Loop-confined.
   */
  default boolean admits(Transport transport) {
    return true;
  }

  /**
   * Takes some of that memory for a request that is complete and waits for its handler, until
   * {@link #releaseRequest}, which may come after the connection has gone. Loop-confined.
   *
   * @return whether there is as much; nothing is taken otherwise
   */
  default boolean reserveRequest(Transport transport, int bytes) {
    return true;
  }

  /** Gives back what {@link #reserveRequest} took: the handler is done with it. */
  default void releaseRequest(Transport transport, int bytes) {}

  /**
   * Takes some of that memory for a response on its way to the loop, which gives it back by {@link
   * #release}. Any thread.
   *
   * @return whether there is as much; nothing is taken otherwise
   */
  default boolean reserve(int bytes) {
    return true;
  }

  /** Gives back what {@link #reserve} took: it is counted elsewhere from here on, or dropped. */
  default void release(int bytes) {}

  /** Hears that a limit of calls has stopped a client. Loop-confined. */
  default void limitReached(Limit limit, Transport transport, String reason) {}

  /** Whether that memory is scarce, so that producers of bytes should pause. Any thread. */
  default boolean isPressed() {
    return false;
  }
}
