package dev.peregrine.wire;

/** The version of HTTP a stream runs over: what the call layer may do depends on it. Any thread. */
public enum HttpVersion {
  /** RFC 1945 as RFC 9112 speaks of it: no chunks, one request unless asked for more. */
  HTTP_1_0,
  /** RFC 9112. */
  HTTP_1_1,
  /** RFC 9113. */
  HTTP_2,
  /** RFC 9114. */
  HTTP_3;

  /**
   * Whether requests and responses flow at the same time, side by side with others. Otherwise a
   * response that begins before its request has ended must not be waited for by the client.
   */
  public boolean multiplexed() {
    return compareTo(HTTP_2) >= 0;
  }
}
