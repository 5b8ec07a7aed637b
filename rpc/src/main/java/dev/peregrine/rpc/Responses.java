package dev.peregrine.rpc;

/**
 * The blocking end of a stream of responses. One thread at a time.
 *
 * @param <R> the response message
 */
public interface Responses<R> {

  /**
   * Sends a message; waits while the bytes already queued for this call are above their mark.
   *
   * @throws RpcException with the reason, when the call was cancelled or its deadline has passed
   */
  void send(R message);
}
