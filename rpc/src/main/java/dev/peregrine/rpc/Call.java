package dev.peregrine.rpc;

/**
 * One call, in event-driven style: the half that sends. Any thread; messages of one call leave in
 * the order in which they are sent.
 *
 * @param <R> the response message
 */
public interface Call<R> {

  /** The call's context. */
  Context context();

  /**
   * Sends a message. Never blocks: look at {@link #ready()} first, or memory fills.
   *
   * @throws IllegalStateException after {@link #close}
   */
  void send(R message);

  /** Whether bytes queued for this call are below their mark; see {@link CallListener#onReady}. */
  boolean ready();

  /** Lets {@code count} more messages arrive; one is allowed when the call begins. */
  void request(int count);

  /** Ends the call. Idempotent: the first status counts. */
  void close(Status status);
}
