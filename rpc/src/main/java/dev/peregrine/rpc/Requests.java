package dev.peregrine.rpc;

import java.util.Iterator;

/**
 * The blocking end of a stream of requests. One thread at a time. Messages not taken hold the peer
 * back by its flow-control window.
 *
 * @param <Q> the request message
 */
public interface Requests<Q> extends Iterable<Q> {

  /** Every message to the end; ends the loop where {@link #next()} returns {@code null}. */
  @Override
  default Iterator<Q> iterator() {
    return new RequestIterator<>(this);
  }

  /**
   * Waits for the next message.
   *
   * @return the message, or {@code null} when the client has sent its last
   * @throws RpcException with the reason, when the call was cancelled or its deadline has passed
   */
  Q next();
}
