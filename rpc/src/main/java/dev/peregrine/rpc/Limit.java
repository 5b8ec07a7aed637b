package dev.peregrine.rpc;

/**
 * The limits that peers and calls can run into, as {@link ServerObserver#limitReached} and counters
 * name them. Any thread. Others may follow: expect that in a {@code switch}.
 */
public enum Limit {
  /** Connections of the server: a further one was closed at once. */
  CONNECTIONS,
  /** Connections of one address: a further one was closed at once. */
  CONNECTIONS_PER_ADDRESS,
  /** TLS handshakes in progress: the one that was oldest was given up. */
  HANDSHAKES,
  /** The time for a TLS handshake. */
  HANDSHAKE_TIME,
  /** The time for a connection's first bytes, its preface and settings. */
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
  /** Bytes that wait in the whole server: for peers that do not read, and for handlers. */
  QUEUED_BYTES,
  /** The size of a header section, or of its parts. */
  HEADER_BYTES,
  /** The size of a request's content over HTTP/1.1. */
  CONTENT_BYTES,
  /** The size of a request message. */
  REQUEST_BYTES,
  /** What chunks of content may take beside the content. */
  CHUNK_OVERHEAD,
  /** Calls open at once on one connection. */
  CONCURRENT_STREAMS,
  /** Requests of one connection, which is closed in good order. */
  CONNECTION_REQUESTS,
  /** Calls open at once in the whole server. */
  OPEN_CALLS,
  /** Calls that wait for a thread. */
  WAITING_CALLS,
  /** Calls cancelled by the peer: rapid reset. */
  STREAM_RESETS,
  /** Calls ended because the peer broke a rule on them. */
  STREAM_ERRORS,
  /** Calls begun beyond {@link #CONCURRENT_STREAMS}. */
  REFUSED_STREAMS,
  /** PING frames. */
  PING_FRAMES,
  /** Pings more often than clients may (gRFC A8). */
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
