package dev.peregrine.wire.http1;

/** How the end of a response's content is told (RFC 9112, 6.3). */
enum Framing {
  /** There is no content, whatever the fields say: HEAD, 204, 304. */
  NONE,
  /** There is none, and a content-length of zero says so. */
  EMPTY,
  /** By a content-length field that the call layer has given. */
  SIZED,
  /** By the last chunk. */
  CHUNKED,
  /** By the end of the connection, for HTTP/1.0. */
  CLOSE
}
