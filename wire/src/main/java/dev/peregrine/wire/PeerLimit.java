package dev.peregrine.wire;

/**
 * The limits of engines, which peers run into: told to {@link Transport#limitReached}. The call
 * layer's list of limits has each by the same name. Any thread.
 */
public enum PeerLimit {
  /** The time for a preface and settings. */
  OPENING_TIME,
  /** The time for a header section. */
  HEADER_TIME,
  /** The time in which content must move on. */
  CONTENT_TIME,
  /** The time in which a peer must read something of what waits for it. */
  UNREAD_TIME,
  /** The time in which a silent peer must answer. */
  KEEPALIVE_TIME,
  /** Output of one connection that its peer does not read. */
  UNREAD_BYTES,
  /** The size of a header section, or of its parts. */
  HEADER_BYTES,
  /** The size of a request's content over HTTP/1.1. */
  CONTENT_BYTES,
  /** What chunks of content take beside the content. */
  CHUNK_OVERHEAD,
  /** Calls open at once. */
  CONCURRENT_STREAMS,
  /** Requests of one connection. */
  CONNECTION_REQUESTS,
  /** Calls cancelled by the peer. */
  STREAM_RESETS,
  /** Calls ended because the peer broke a rule on them. */
  STREAM_ERRORS,
  /** Calls begun beyond {@link #CONCURRENT_STREAMS}. */
  REFUSED_STREAMS,
  /** PING frames. */
  PING_FRAMES,
  /** Pings more often than clients may. */
  PING_STRIKES,
  /** SETTINGS frames. */
  SETTINGS_FRAMES,
  /** DATA frames without data. */
  EMPTY_DATA_FRAMES,
  /** WINDOW_UPDATE frames. */
  WINDOW_UPDATE_FRAMES,
  /** Frames without effect. */
  IGNORED_FRAMES,
  /** CONTINUATION frames of one header section. */
  CONTINUATION_FRAMES
}
