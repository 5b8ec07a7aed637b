package dev.peregrine.server;

import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import java.net.SocketAddress;
import java.util.Locale;
import java.util.Optional;

/** A plain HTTP request with its whole body. Immutable but for the body's bytes. */
public final class HttpRequest {

  private final Headers headers;
  private final byte[] body;
  private final SocketAddress peer;

  HttpRequest(Headers headers, byte[] body, SocketAddress peer) {
    this.headers = headers;
    this.body = body;
    this.peer = peer;
  }

  /** The method, e.g. {@code GET}. */
  public String method() {
    return headers.get(HeaderName.METHOD);
  }

  /** The path without the query, as it was sent: neither decoded nor normalised. */
  public String path() {
    return pathOf(headers);
  }

  /** The query without its question mark, as it was sent; empty if there is none. */
  public String query() {
    String target = headers.get(HeaderName.PATH);
    int mark = target.indexOf('?');
    return mark < 0 ? "" : target.substring(mark + 1);
  }

  /** The first value of a header field, in any case. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  /** The body; the array is the caller's. */
  public byte[] body() {
    return body;
  }

  /** The client's address. */
  public SocketAddress peer() {
    return peer;
  }

  static String pathOf(Headers headers) {
    String target = headers.get(HeaderName.PATH);
    int mark = target.indexOf('?');
    return mark < 0 ? target : target.substring(0, mark);
  }
}
