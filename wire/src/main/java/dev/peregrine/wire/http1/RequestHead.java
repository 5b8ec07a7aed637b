package dev.peregrine.wire.http1;

import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpVersion;

/**
 * A request's head, judged. Shared by requests whose heads are the same bytes. Loop-confined, like
 * its {@link Headers}.
 *
 * @param headers the pseudo-header fields of HTTP/2 and the fields but those of the connection
 * @param version HTTP_1_0 or HTTP_1_1
 * @param contentBytes the length of the content, ≥ 0, or {@link #CHUNKED}
 * @param keepsAlive whether the peer wants to go on after the response (RFC 9112, 9.3)
 * @param expectsContinue whether the peer waits for 100 (RFC 9110, 10.1.1)
 * @param isHead whether the response goes without its content (RFC 9110, 9.3.2)
 */
record RequestHead(
    Headers headers,
    HttpVersion version,
    long contentBytes,
    boolean keepsAlive,
    boolean expectsContinue,
    boolean isHead) {

  /** The content comes in chunks. */
  static final long CHUNKED = -1;

  boolean hasContent() {
    return contentBytes != 0;
  }

  boolean isHttp10() {
    return version == HttpVersion.HTTP_1_0;
  }
}
