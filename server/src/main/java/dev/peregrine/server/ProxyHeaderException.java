package dev.peregrine.server;

/** Bytes that are no header of the PROXY protocol, or a broken one. Has no stack trace. */
final class ProxyHeaderException extends Exception {

  private static final long serialVersionUID = 1;

  /** Says in one sentence what is wrong. */
  ProxyHeaderException(String message) {
    super(message, null, false, false);
  }
}
