package dev.peregrine.wire.http2;

import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.PeerLimit;

/**
 * A fault of the peer that ends the connection (RFC 9113, 5.4.1): becomes GOAWAY with the reason as
 * debug data in {@link Http2Connection#receive}. Loop-confined. Has no stack trace.
 */
final class ConnectionError extends Exception {

  private static final long serialVersionUID = 1;

  private final ErrorCode code;
  private final transient PeerLimit limit;

  private ConnectionError(ErrorCode code, String reason, PeerLimit limit) {
    super(reason, null, false, false);
    this.code = code;
    this.limit = limit;
  }

  ConnectionError(ErrorCode code, String reason) {
    this(code, reason, null);
  }

  /** A peer went past one of our limits; whoever runs the server should hear of it. */
  static ConnectionError limit(PeerLimit limit, String reason) {
    return new ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, reason, limit);
  }

  /**
   * What is left of a limit of time.
   *
   * @throws ConnectionError if that is nothing: the peer let it pass
   */
  static long left(long leftNanos, PeerLimit limit, ErrorCode code, String reason)
      throws ConnectionError {
    if (leftNanos <= 0) {
      throw new ConnectionError(code, reason, limit);
    }
    return leftNanos;
  }

  static ConnectionError protocol(String reason) {
    return new ConnectionError(ErrorCode.PROTOCOL_ERROR, reason, null);
  }

  static ConnectionError frameSize(String reason) {
    return new ConnectionError(ErrorCode.FRAME_SIZE_ERROR, reason, null);
  }

  ErrorCode code() {
    return code;
  }

  /** The limit of ours that this is about; {@code null} for a breach of the protocol. */
  PeerLimit limit() {
    return limit;
  }
}
