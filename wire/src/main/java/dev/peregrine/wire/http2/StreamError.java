package dev.peregrine.wire.http2;

import dev.peregrine.wire.ErrorCode;

/**
 * A fault of the peer that costs one stream (RFC 9113, 5.4.2): becomes RST_STREAM in {@link
 * Http2Connection#receive}. Loop-confined. Has no stack trace.
 */
final class StreamError extends Exception {

  private static final long serialVersionUID = 1;

  private final int streamId;
  private final ErrorCode code;

  StreamError(int streamId, ErrorCode code, String reason) {
    super(reason, null, false, false);
    this.streamId = streamId;
    this.code = code;
  }

  int streamId() {
    return streamId;
  }

  ErrorCode code() {
    return code;
  }
}
