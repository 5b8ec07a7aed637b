package dev.peregrine.rpc;

import java.util.List;

/**
 * What a {@link Service}, an HTTP endpoint, an {@link Interceptor} or a {@link ServerObserver} of a
 * server implements beside it in order to hear of the server it was added to. Called by the threads
 * that start and stop the server, one after the other.
 */
public interface ServerLifecycle {

  /**
   * The server is complete and about to listen. An exception keeps it from starting.
   *
   * @param services everything it serves, this service included, in the order of adding
   */
  default void onStart(List<ServiceDefinition> services) {}

  /**
   * The server was told to stop. It still takes calls, and begins to drain when every service has
   * returned from this: whoever waits here keeps it serving. Services wait at the same time, so
   * that their delays do not add up, and ten minutes at most. An interrupt asks to make haste.
   */
  default void onDrain() {}

  /**
   * The server has ended: its connections are closed, and its observers have heard of everything.
   * What takes its time here delays that the server says so. Also called when a server could not
   * start.
   */
  default void onStop() {}
}
