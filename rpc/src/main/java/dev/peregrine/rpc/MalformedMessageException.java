package dev.peregrine.rpc;

/** Bytes from a peer are not the message they should be. Has no stack trace: it blames the peer. */
public final class MalformedMessageException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Says what is wrong, in words fit for the peer. */
  public MalformedMessageException(String message) {
    super(message, null, false, false);
  }
}
