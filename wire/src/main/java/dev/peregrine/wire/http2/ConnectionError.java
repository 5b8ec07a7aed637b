package dev.peregrine.wire.http2;

import dev.peregrine.wire.ErrorCode;

/**
 * A fault of the peer that ends the connection (RFC 9113, 5.4.1): becomes GOAWAY with the reason as
 * debug data in {@link Http2Connection#receive}. Loop-confined. Has no stack trace.
 */
final class ConnectionError extends Exception {

  private static final long serialVersionUID = 1;

  private final ErrorCode code;
  private final boolean limit;

  private ConnectionError(ErrorCode code, String reason, boolean limit) {
    super(reason, null, false, false);
    this.code = code;
    this.limit = limit;
  }

  ConnectionError(ErrorCode code, String reason) {
    this(code, reason, false);
  }

  /** A peer went past one of our limits; whoever runs the server should hear of it. */
  static ConnectionError limit(String reason) {
    return new ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, reason, true);
  }

  /** A peer let a limit of time pass. */
  static ConnectionError timeout(ErrorCode code, String reason) {
    return new ConnectionError(code, reason, true);
  }

  static ConnectionError protocol(String reason) {
    return new ConnectionError(ErrorCode.PROTOCOL_ERROR, reason, false);
  }

  static ConnectionError frameSize(String reason) {
    return new ConnectionError(ErrorCode.FRAME_SIZE_ERROR, reason, false);
  }

  ErrorCode code() {
    return code;
  }

  /** Whether this is about a limit of ours rather than a breach of the protocol. */
  boolean isLimit() {
    return limit;
  }
}
