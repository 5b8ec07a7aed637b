package dev.peregrine.wire;

/**
 * The response half of a stream, implemented by engines. Loop-confined; all but {@link
 * #transport()} within a burst only. After the stream was reset, or the connection lost, every
 * method is a no-op ({@link #claim} returns −1), so that a late reply needs no check.
 */
public interface HttpStream {

  /**
   * Sends the response's header section; before any content.
   *
   * @param extra further fields, or {@code null}
   * @param end whether the response ends here, without content
   */
  void head(ResponseHead head, Headers extra, boolean end);

  /**
   * Reserves room for response content right in the transport's output, if all of it can leave now:
   * nothing queued, windows and the peer's frame size large enough, socket writable. The caller
   * then fills exactly {@code length} bytes of {@code transport().output().array()}.
   *
   * @return the offset of the first byte, or −1 when {@link #data} must be used instead
   */
  int claim(int length);

  /**
   * Sends response content; what may not leave yet is queued by reference, so the array is given
   * away.
   *
   * @param end whether the response ends here, without a trailer section
   */
  void data(byte[] bytes, int offset, int length, boolean end);

  /**
   * Ends the response with a trailer section, after all content queued. If the request has not
   * ended yet the stream is then reset with NO_ERROR (RFC 9113, 8.1).
   *
   * @param extra further fields, or {@code null}
   */
  void trailers(ResponseHead trailers, Headers extra);

  /** Ends the stream abnormally. The listener is not told. */
  void reset(ErrorCode code);

  /** Gives bytes of request content back to the receive window. */
  void credit(int bytes);

  /** Bytes of content queued here because windows or the socket did not take them yet. */
  int queuedBytes();

  /** The largest header section the peer accepts, in bytes as RFC 9113 section 6.5.2 counts. */
  int peerMaxHeaderListBytes();

  /** The version of HTTP this stream runs over. */
  default HttpVersion version() {
    return HttpVersion.HTTP_2;
  }

  /** The transport that carries this stream. */
  Transport transport();
}
