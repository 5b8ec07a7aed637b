package dev.peregrine.wire.http1;

import java.nio.charset.StandardCharsets;

/**
 * The target of a request (RFC 9112, 3.2). Immutable, any thread.
 *
 * @param scheme of an absolute-form, or {@code null}
 * @param authority of an absolute-form, or {@code null}
 * @param path with its query, from its slash on; {@code *} of an asterisk-form
 */
record RequestTarget(String scheme, String authority, String path) {

  private static final String ASTERISK = "*";

  /** Reads a target. */
  static RequestTarget parse(String method, byte[] bytes, int start, int end) throws RequestError {
    for (int i = start; i < end; i++) {
      byte c = bytes[i];
      if ((c >= 0 && c <= ' ') || c == 0x7f) {
        throw RequestError.malformed("the request target has white space or control characters");
      }
    }
    if (start == end) {
      throw RequestError.malformed("the request target is empty");
    }
    if (method.equals("CONNECT")) {
      // RFC 9112, 3.2.3 and RFC 9110, 9.3.6: tunnels are for proxies.
      throw RequestError.refused(501, "CONNECT is not supported");
    }
    String text = new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
    if (bytes[start] == '/') {
      return new RequestTarget(null, null, text);
    }
    if (text.equals(ASTERISK) && method.equals("OPTIONS")) {
      return new RequestTarget(null, null, text);
    }
    return absolute(method, text);
  }

  /** RFC 9112, 3.2.2: servers must accept the absolute form, too. */
  private static RequestTarget absolute(String method, String text) throws RequestError {
    int colon = text.indexOf("://");
    String scheme = colon < 0 ? "" : text.substring(0, colon).toLowerCase(java.util.Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw RequestError.malformed("the request target is neither a path nor an http URI");
    }
    int from = colon + "://".length();
    int to = from;
    while (to < text.length() && "/?#".indexOf(text.charAt(to)) < 0) {
      to++;
    }
    String authority = text.substring(from, to);
    // RFC 9110, 4.2.1: an http URI has a host.
    if (authority.isEmpty() || !HeadRules.isHost(authority)) {
      throw RequestError.malformed("the request target has no valid host");
    }
    String path = text.substring(to);
    if (path.isEmpty()) {
      path = method.equals("OPTIONS") ? ASTERISK : "/"; // RFC 9112, 3.2.4
    } else if (path.charAt(0) != '/') {
      path = "/" + path;
    }
    return new RequestTarget(scheme, authority, path);
  }
}
