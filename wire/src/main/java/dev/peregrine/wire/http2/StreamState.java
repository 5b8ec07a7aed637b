package dev.peregrine.wire.http2;

import dev.peregrine.wire.ErrorCode;

/**
 * The state of a stream as RFC 9113, 5.1 draws it, seen from a server that never pushes.
 * Loop-confined by use.
 *
 * <pre>
 *                      +--------+
 *                      |  idle  |
 *                      +--------+
 *                          | recv HEADERS
 *                          v
 *    recv END_STREAM   +--------+   send END_STREAM
 *   .------------------|  open  |------------------.
 *   |                  +--------+                  |
 *   v                      |                       v
 * +-------------+          |             +------------+
 * | half closed |          |             | half closed|
 * |  (remote)   |          |             |  (local)   |
 * +-------------+          |             +------------+
 *   |                      |                       |
 *   | send END_STREAM      | RST_STREAM            | recv END_STREAM
 *   |                      | either way, from      |
 *   |                      v all three             |
 *   |                  +--------+                  |
 *   '-----------------&gt;| closed |&lt;-----------------'
 *                      +--------+
 * </pre>
 *
 * <p>Closed is three states here, because how a stream was closed decides what a late frame means:
 * {@link #CLOSED} by END_STREAM both ways, {@link #RESET_SENT}, {@link #RESET_RECEIVED}.
 *
 * <p>There is one method for each event. It returns the next state, or throws the error of the
 * right scope; a fault of our own side is an {@link IllegalStateException}, which never reaches the
 * peer.
 */
enum StreamState {
  IDLE,
  OPEN,
  HALF_CLOSED_REMOTE,
  HALF_CLOSED_LOCAL,
  CLOSED,
  RESET_SENT,
  RESET_RECEIVED;

  /** Whether the stream is over, one way or the other. */
  boolean isClosed() {
    return this == CLOSED || this == RESET_SENT || this == RESET_RECEIVED;
  }

  /** HEADERS arrived: a request, or in an open stream its trailer section. */
  StreamState recvHeaders(int streamId, boolean end) throws StreamError, ConnectionError {
    return switch (this) {
      case IDLE -> end ? HALF_CLOSED_REMOTE : OPEN;
      case OPEN, HALF_CLOSED_LOCAL -> {
        if (!end) {
          // RFC 9113, 8.1: a second field section is a trailer section, which ends the request.
          throw new StreamError(
              streamId, ErrorCode.PROTOCOL_ERROR, "trailer section without END_STREAM");
        }
        yield this == OPEN ? HALF_CLOSED_REMOTE : CLOSED;
      }
      case HALF_CLOSED_REMOTE, CLOSED, RESET_RECEIVED -> throwClosed(streamId, "HEADERS");
      case RESET_SENT -> this;
    };
  }

  /** DATA arrived. */
  StreamState recvData(int streamId, boolean end) throws StreamError, ConnectionError {
    return switch (this) {
      case IDLE -> throw ConnectionError.protocol("DATA on an idle stream");
      case OPEN -> end ? HALF_CLOSED_REMOTE : OPEN;
      case HALF_CLOSED_LOCAL -> end ? CLOSED : HALF_CLOSED_LOCAL;
      case HALF_CLOSED_REMOTE, CLOSED, RESET_RECEIVED -> throwClosed(streamId, "DATA");
      case RESET_SENT -> this;
    };
  }

  /** RST_STREAM arrived. */
  StreamState recvReset() throws ConnectionError {
    return switch (this) {
      case IDLE -> throw ConnectionError.protocol("RST_STREAM on an idle stream");
      case OPEN, HALF_CLOSED_REMOTE, HALF_CLOSED_LOCAL -> RESET_RECEIVED;
      case CLOSED, RESET_SENT, RESET_RECEIVED -> this;
    };
  }

  /**
   * WINDOW_UPDATE arrived. It may cross the end of the stream on its way (RFC 9113, 5.1), so it is
   * legal after it.
   */
  StreamState recvWindowUpdate() throws ConnectionError {
    if (this == IDLE) {
      throw ConnectionError.protocol("WINDOW_UPDATE on an idle stream");
    }
    return this;
  }

  /** We send HEADERS: the response, or its trailer section. */
  StreamState sendHeaders(boolean end) {
    return send("HEADERS", end);
  }

  /** We send DATA. */
  StreamState sendData(boolean end) {
    return send("DATA", end);
  }

  /** We send RST_STREAM. */
  StreamState sendReset() {
    return switch (this) {
      case OPEN, HALF_CLOSED_REMOTE, HALF_CLOSED_LOCAL -> RESET_SENT;
      case IDLE, CLOSED, RESET_SENT, RESET_RECEIVED ->
          throw new IllegalStateException("RST_STREAM in state " + this);
    };
  }

  private StreamState send(String what, boolean end) {
    return switch (this) {
      case OPEN -> end ? HALF_CLOSED_LOCAL : OPEN;
      case HALF_CLOSED_REMOTE -> end ? CLOSED : HALF_CLOSED_REMOTE;
      case IDLE, HALF_CLOSED_LOCAL, CLOSED, RESET_SENT, RESET_RECEIVED ->
          throw new IllegalStateException(what + " in state " + this);
    };
  }

  /**
   * RFC 9113, 5.1: after END_STREAM both ways a frame is a connection error, after RST_STREAM or
   * with only the peer's side closed it is a stream error.
   */
  private StreamState throwClosed(int streamId, String what) throws StreamError, ConnectionError {
    if (this == CLOSED) {
      throw new ConnectionError(ErrorCode.STREAM_CLOSED, what + " on a closed stream");
    }
    throw new StreamError(streamId, ErrorCode.STREAM_CLOSED, what + " after the end of the stream");
  }
}
