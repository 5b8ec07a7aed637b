package dev.peregrine.wire.http1;

import dev.peregrine.wire.ContentLength;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpVersion;
import java.util.Locale;

/**
 * What the fields of a head mean to the engine: host, framing of the content, life of the
 * connection (RFC 9112, 3.2, 6 and 9). Any thread: no state.
 *
 * <p>Whatever two recipients might read differently is refused: that is how requests are smuggled
 * (RFC 9112, 11.2).
 */
final class HeadRules {

  private static final HeaderName EXPECT = HeaderName.of("expect");

  private static final long NO_LENGTH = -2;

  private static final String CHUNKED = "chunked";

  private HeadRules() {}

  /**
   * Judges a head.
   *
   * @param scheme of a target that names none
   */
  static RequestHead judge(
      String method, RequestTarget target, HttpVersion version, Headers fields, String scheme)
      throws RequestError {
    boolean http10 = version == HttpVersion.HTTP_1_0;
    String authority = authority(target, fields, http10);
    long contentBytes = contentBytes(fields, http10);
    boolean close = hasConnectionOption(fields, "close");
    boolean keepAlive = hasConnectionOption(fields, "keep-alive");
    boolean expects = expectsContinue(fields, http10) && contentBytes != 0;
    Headers headers = new Headers();
    headers.add(HeaderName.METHOD, method);
    headers.add(HeaderName.SCHEME, target.scheme() == null ? scheme : target.scheme());
    headers.add(HeaderName.PATH, target.path());
    addFields(headers, authority, fields);
    headers.setChecked(contentBytes < 0 ? Headers.NO_CONTENT_LENGTH : contentBytes);
    return new RequestHead(
        headers,
        version,
        contentBytes,
        !close && (!http10 || keepAlive),
        expects,
        method.equals("HEAD"));
  }

  /** RFC 9112, 3.2: exactly one Host field in HTTP/1.1; the authority of the target wins. */
  private static String authority(RequestTarget target, Headers fields, boolean http10)
      throws RequestError {
    String host = null;
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i).equals(HeaderName.HOST)) {
        if (host != null) {
          throw RequestError.malformed("there is more than one Host field");
        }
        host = fields.value(i);
      }
    }
    if (host == null && !http10) {
      throw RequestError.malformed("there is no Host field");
    }
    if (host != null && !isHost(host)) {
      throw RequestError.malformed("the Host field is not a host and a port");
    }
    return target.authority() != null ? target.authority() : host;
  }

  /**
   * Whether this may be a host and a port (RFC 3986, 3.2), or is empty (RFC 9110, 7.2). User
   * information is not taken.
   */
  static boolean isHost(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letterOrDigit =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!letterOrDigit && "-._~!$&'()*+,;=%:[]".indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  /** RFC 9112, 6.3, in its strictest reading. */
  private static long contentBytes(Headers fields, boolean http10) throws RequestError {
    long length = NO_LENGTH;
    String codings = null;
    for (int i = 0; i < fields.size(); i++) {
      HeaderName name = fields.name(i);
      if (name.equals(HeaderName.CONTENT_LENGTH)) {
        if (length != NO_LENGTH) {
          throw RequestError.malformed("there is more than one Content-Length field");
        }
        length = parseLength(fields.value(i));
      } else if (name.equals(HeaderName.TRANSFER_ENCODING)) {
        codings = codings == null ? fields.value(i) : codings + "," + fields.value(i);
      }
    }
    if (codings == null) {
      return length == NO_LENGTH ? 0 : length;
    }
    if (http10) {
      throw RequestError.malformed("Transfer-Encoding does not belong in HTTP/1.0");
    }
    if (length != NO_LENGTH) {
      throw RequestError.malformed("there are both Content-Length and Transfer-Encoding");
    }
    checkCodings(codings);
    return RequestHead.CHUNKED;
  }

  private static long parseLength(String value) throws RequestError {
    long bytes = ContentLength.parse(value);
    if (bytes == ContentLength.MALFORMED) {
      throw RequestError.malformed("Content-Length is not a number");
    }
    return bytes;
  }

  /** RFC 9112, 6.1 and 6.3: chunked comes last and once; no other coding is known here. */
  private static void checkCodings(String codings) throws RequestError {
    if (codings.equalsIgnoreCase(CHUNKED)) {
      return;
    }
    String[] list = codings.toLowerCase(Locale.ROOT).split(",", -1);
    boolean unknown = false;
    boolean early = false;
    for (int i = 0; i < list.length - 1; i++) {
      boolean chunked = list[i].strip().equals(CHUNKED);
      early |= chunked;
      unknown |= !chunked;
    }
    if (early || !list[list.length - 1].strip().equals(CHUNKED)) {
      throw RequestError.malformed("chunked must be the last transfer coding, once");
    }
    if (unknown) {
      throw RequestError.refused(501, "no transfer coding but chunked is known here");
    }
  }

  private static boolean expectsContinue(Headers fields, boolean http10) throws RequestError {
    String value = fields.get(EXPECT);
    if (value == null || http10) {
      return false; // RFC 9110, 10.1.1: ignored in HTTP/1.0
    }
    if (!value.equalsIgnoreCase("100-continue")) {
      throw RequestError.refused(417, "no expectation but 100-continue is known here");
    }
    return true;
  }

  private static boolean hasConnectionOption(Headers fields, String option) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i).equals(HeaderName.CONNECTION) && listHas(fields.value(i), option)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a list of tokens has one, in any case (RFC 9110, 5.6.1). */
  static boolean listHas(String list, String token) {
    for (String element : list.split(",", -1)) {
      if (element.strip().equalsIgnoreCase(token)) {
        return true;
      }
    }
    return false;
  }

  /** The fields as HTTP/2 has them, so that the layers above see no difference. */
  private static void addFields(Headers headers, String authority, Headers fields) {
    if (authority != null) {
      headers.add(HeaderName.AUTHORITY, authority);
    }
    for (int i = 0; i < fields.size(); i++) {
      HeaderName name = fields.name(i);
      if (!name.equals(HeaderName.HOST) && !name.isConnectionSpecific()) {
        headers.add(name, fields.value(i));
      }
    }
  }
}
