package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Status;

/**
 * What a call has beyond a unary one: the way of messages between its loop and its handler.
 *
 * @param <Q> the request message
 */
interface CallStreams<Q> {

  /**
   * Request content arrived: gives the receive window back, now or when the handler is less behind.
   * Called after {@link #onMessage} of what was in it. Loop-confined.
   */
  void onArrival(int bytes);

  /**
   * A request arrived. Loop-confined.
   *
   * @param bytes what it counts while it waits to be taken
   */
  void onMessage(Q message, int bytes);

  /** The client has sent its last request. Loop-confined. */
  void onRequestEnd();

  /** The stream takes more responses. Loop-confined. */
  void onWritable();

  /** The call is over before its handler is. Loop-confined. */
  void onCancel(Status reason);

  /** The handler may begin. Loop-confined. */
  void start();

  /** Runs what of the handler can run. Handler thread. */
  void runHandler();

  /** Moves what the handler has produced to the stream. Loop-confined, within a burst. */
  void runOnLoop();
}
