package dev.peregrine.wire.http1;

import dev.peregrine.wire.PeerLimit;

/**
 * A fault of the peer, or a limit it passed: becomes an answer and the end of the connection in
 * {@link Http1Connection} and nowhere else. Loop-confined. Has no stack trace.
 */
final class RequestError extends Exception {

  private static final long serialVersionUID = 1;

  /** {@link #status()} of what deserves no answer. */
  private static final int SILENT = 0;

  private final int status;
  private final transient PeerLimit limit;

  private RequestError(int status, String reason, PeerLimit limit) {
    super(reason, null, false, false);
    this.status = status;
    this.limit = limit;
  }

  /** The bytes are not what RFC 9112 allows: 400. */
  static RequestError malformed(String reason) {
    return new RequestError(400, reason, null);
  }

  /** The request is well-formed, but not for this server. */
  static RequestError refused(int status, String reason) {
    return new RequestError(status, reason, null);
  }

  /** The peer went past one of our limits; whoever runs the server should hear of it. */
  static RequestError limit(PeerLimit limit, int status, String reason) {
    return new RequestError(status, reason, limit);
  }

  /** To whom this is not HTTP/1, an answer in HTTP/1 would be rubbish. */
  static RequestError silent(String reason) {
    return new RequestError(SILENT, reason, null);
  }

  /** A limit of time after which there is nothing to answer. */
  static RequestError silentLimit(PeerLimit limit, String reason) {
    return new RequestError(SILENT, reason, limit);
  }

  /** The status to answer. */
  int status() {
    return status;
  }

  /** Whether nothing is answered. */
  boolean isSilent() {
    return status == SILENT;
  }

  /** The limit of ours that this is about; {@code null} for a breach of the protocol. */
  PeerLimit limit() {
    return limit;
  }
}
