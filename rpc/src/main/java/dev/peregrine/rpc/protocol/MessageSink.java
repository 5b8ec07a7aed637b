package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Status;

/** What an {@link EnvelopeReader} tells of the messages it finds. Loop-confined. */
interface MessageSink {

  /**
   * A whole message; the slice is lent.
   *
   * @return whether to go on
   */
  boolean onMessage(int flags, byte[] bytes, int offset, int length);

  /** A message that is not whole takes so many bytes more than before, or fewer. */
  default void onHeld(int bytes) {}

  /** The bytes are not messages, or a message is too large: the call is over. */
  void onBroken(Status status);
}
