package dev.peregrine.wire.http1;

/**
 * A fault of the peer, or a limit it passed: becomes an answer and the end of the connection in
 * {@link Http1Connection} and nowhere else. Loop-confined. Has no stack trace.
 */
final class RequestError extends Exception {

  private static final long serialVersionUID = 1;

  /** {@link #status()} of what deserves no answer. */
  private static final int SILENT = 0;

  private final int status;
  private final boolean limit;

  private RequestError(int status, String reason, boolean limit) {
    super(reason, null, false, false);
    this.status = status;
    this.limit = limit;
  }

  /** The bytes are not what RFC 9112 allows: 400. */
  static RequestError malformed(String reason) {
    return new RequestError(400, reason, false);
  }

  /** The request is well-formed, but not for this server. */
  static RequestError refused(int status, String reason) {
    return new RequestError(status, reason, false);
  }

  /** The peer went past one of our limits; whoever runs the server should hear of it. */
  static RequestError limit(int status, String reason) {
    return new RequestError(status, reason, true);
  }

  /** To whom this is not HTTP/1, an answer in HTTP/1 would be rubbish. */
  static RequestError silent(String reason) {
    return new RequestError(SILENT, reason, false);
  }

  /** A limit of time after which there is nothing to answer. */
  static RequestError silentLimit(String reason) {
    return new RequestError(SILENT, reason, true);
  }

  /** The status to answer. */
  int status() {
    return status;
  }

  /** Whether nothing is answered. */
  boolean isSilent() {
    return status == SILENT;
  }

  /** Whether this is about a limit of ours rather than a breach of the protocol. */
  boolean isLimit() {
    return limit;
  }
}
