package dev.peregrine.rpc;

/**
 * One call, in event-driven style: the half that hears. Its methods are never called at the same
 * time for one call.
 *
 * @param <Q> the request message
 */
public interface CallListener<Q> {

  /** A message arrived. */
  void onMessage(Q message) throws Exception;

  /** The client has sent its last message. */
  default void onHalfClose() throws Exception {}

  /** {@link Call#ready()} turned true again. */
  default void onReady() throws Exception {}

  /** The call was cancelled, lost, or its deadline has passed: nothing can be sent any more. */
  default void onCancel(Status reason) {}
}
