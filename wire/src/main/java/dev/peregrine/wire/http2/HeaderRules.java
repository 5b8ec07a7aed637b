package dev.peregrine.wire.http2;

import dev.peregrine.wire.ContentLength;
import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.Token;

/**
 * What makes a field section malformed (RFC 9113, 8.1.1, 8.2 and 8.3). Any thread: no state.
 *
 * <p>A malformed request is a stream error of type PROTOCOL_ERROR. The verdict on a good section is
 * kept with it, so that a repeated header block is not judged again. Left to the call layer, which
 * can answer with a status: a {@code :path} that does not begin with a slash, several {@code host}
 * fields, methods it does not serve.
 */
final class HeaderRules {

  private static final int METHOD = 1;
  private static final int SCHEME = 1 << 1;
  private static final int AUTHORITY = 1 << 2;
  private static final int PATH = 1 << 3;

  private HeaderRules() {}

  /** Checks the header section of a request. */
  static void checkRequest(int streamId, Headers headers) throws StreamError {
    if (headers.checked()) {
      return;
    }
    int pseudo = 0;
    boolean regular = false;
    long contentLength = Headers.NO_CONTENT_LENGTH;
    for (int i = 0; i < headers.size(); i++) {
      HeaderName name = headers.name(i);
      String value = headers.value(i);
      if (name.isPseudo()) {
        // RFC 9113, 8.3: pseudo-header fields come first.
        require(!regular, streamId, "pseudo-header field after a regular one");
        int bit = pseudoBit(streamId, name);
        require((pseudo & bit) == 0, streamId, "duplicate pseudo-header field");
        pseudo |= bit;
      } else {
        regular = true;
        checkName(streamId, name);
        checkConnectionSpecific(streamId, name, value);
        if (name.equals(HeaderName.CONTENT_LENGTH)) {
          require(contentLength == Headers.NO_CONTENT_LENGTH, streamId, "duplicate content-length");
          contentLength = parseContentLength(streamId, value);
        }
      }
      checkValue(streamId, value);
    }
    // A section cut at the soft limit may lack anything; it is refused with a status anyway.
    if (!headers.truncated()) {
      checkPseudo(streamId, headers, pseudo);
    }
    headers.setChecked(contentLength);
  }

  /** Checks a trailer section. */
  static void checkTrailers(int streamId, Headers trailers) throws StreamError {
    // checked() would speak of the same block as a header section, so it is neither asked nor set.
    for (int i = 0; i < trailers.size(); i++) {
      HeaderName name = trailers.name(i);
      // RFC 9113, 8.1: no pseudo-header fields here.
      require(!name.isPseudo(), streamId, "pseudo-header field in a trailer section");
      checkName(streamId, name);
      checkConnectionSpecific(streamId, name, trailers.value(i));
      checkValue(streamId, trailers.value(i));
    }
  }

  private static int pseudoBit(int streamId, HeaderName name) throws StreamError {
    if (name.equals(HeaderName.PATH)) {
      return PATH;
    } else if (name.equals(HeaderName.METHOD)) {
      return METHOD;
    } else if (name.equals(HeaderName.SCHEME)) {
      return SCHEME;
    } else if (name.equals(HeaderName.AUTHORITY)) {
      return AUTHORITY;
    }
    throw malformed(streamId, "unknown pseudo-header field");
  }

  private static void checkPseudo(int streamId, Headers headers, int pseudo) throws StreamError {
    require((pseudo & METHOD) != 0, streamId, ":method is missing");
    String method = headers.get(HeaderName.METHOD);
    require(!method.isEmpty(), streamId, ":method is empty");
    if (method.equals("CONNECT")) {
      // RFC 9113, 8.5: an authority, and neither scheme nor path.
      require(
          (pseudo & ~METHOD) == AUTHORITY,
          streamId,
          "CONNECT with :scheme, :path or no :authority");
      return;
    }
    // RFC 9113, 8.3.1.
    require((pseudo & SCHEME) != 0, streamId, ":scheme is missing");
    require((pseudo & PATH) != 0, streamId, ":path is missing");
    require(!headers.get(HeaderName.PATH).isEmpty(), streamId, ":path is empty");
  }

  /** RFC 9113, 8.2.2: fields that belong to one connection of HTTP/1.1. */
  private static void checkConnectionSpecific(int streamId, HeaderName name, String value)
      throws StreamError {
    if (!name.isKnown()) {
      return;
    }
    if (name.equals(HeaderName.TE)) {
      require(value.equalsIgnoreCase("trailers"), streamId, "te other than trailers");
    } else {
      require(!name.isConnectionSpecific(), streamId, "connection-specific field");
    }
  }

  /** RFC 9113, 8.2.1, stricter: only what a token may hold, in lower case. */
  private static void checkName(int streamId, HeaderName name) throws StreamError {
    if (name.isKnown()) {
      return;
    }
    String text = name.toString();
    require(!text.isEmpty(), streamId, "empty field name");
    for (int i = 0; i < text.length(); i++) {
      require(
          Token.mayHoldInLowerCase(text.charAt(i)),
          streamId,
          "prohibited character in a field name");
    }
  }

  /** RFC 9113, 8.2.1: no NUL, LF or CR, no white space at either end. */
  private static void checkValue(int streamId, String value) throws StreamError {
    int length = value.length();
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      require(
          c > '\r' || (c != '\r' && c != '\n' && c != 0),
          streamId,
          "prohibited character in a field value");
    }
    require(
        length == 0 || (!isBlank(value.charAt(0)) && !isBlank(value.charAt(length - 1))),
        streamId,
        "white space around a field value");
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  private static long parseContentLength(int streamId, String value) throws StreamError {
    long bytes = ContentLength.parse(value);
    require(bytes != ContentLength.MALFORMED, streamId, "content-length is not a number");
    return bytes;
  }

  private static void require(boolean condition, int streamId, String reason) throws StreamError {
    if (!condition) {
      throw malformed(streamId, reason);
    }
  }

  private static StreamError malformed(int streamId, String reason) {
    return new StreamError(streamId, ErrorCode.PROTOCOL_ERROR, reason);
  }
}
