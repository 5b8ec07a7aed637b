package dev.peregrine.wire.hpack;

/**
 * A field block that cannot be decoded, or whose decoded fields are past the hard limit. Any
 * thread.
 *
 * <p>The compression state is lost with it, so the connection must end (RFC 9113, 4.3:
 * COMPRESSION_ERROR). Has no stack trace: it is the peer's fault, not ours.
 */
public final class HpackException extends Exception {

  private static final long serialVersionUID = 1;

  HpackException(String reason) {
    super(reason, null, false, false);
  }
}
