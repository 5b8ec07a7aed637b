package dev.peregrine.server;

import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.Token;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A plain HTTP response. Immutable: one that is always the same may be made once and returned for
 * every request, which is also the fastest.
 */
public final class HttpResponse {

  private static final int STATUS_CODES = 600;

  /** Heads without fields, by status: made when needed; two threads may make one twice. */
  private static final ResponseHead[] BARE = new ResponseHead[STATUS_CODES];

  private final ResponseHead head;
  private final byte[] body;

  /** Whether it was sent before. Any thread may be late to see it: then it is sent the long way. */
  private boolean sent;

  private HttpResponse(ResponseHead head, byte[] body) {
    this.head = head;
    this.body = body;
  }

  /**
   * A response.
   *
   * @param status 200 to 599
   * @param contentType e.g. {@code application/json}
   * @param body given away: not to be changed afterwards
   */
  public static HttpResponse of(int status, String contentType, byte[] body) {
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException("status " + status + " is not in 200..599");
    }
    Headers headers =
        new Headers()
            .add(HeaderName.CONTENT_TYPE, checkedValue(contentType))
            .add(HeaderName.CONTENT_LENGTH, Integer.toString(body.length));
    return new HttpResponse(ResponseHead.of(status, headers), body);
  }

  /** A response of plain text in UTF-8. */
  public static HttpResponse text(int status, String text) {
    return of(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The same with one more header field.
   *
   * @throws IllegalArgumentException if the name is not a token, or the value has characters that
   *     may not be in a field (RFC 9110, 5.5)
   */
  public HttpResponse withHeader(String name, String value) {
    Headers headers = new Headers();
    for (int i = 0; i < head.headers().size(); i++) {
      headers.add(head.headers().name(i), head.headers().value(i));
    }
    headers.add(checkedName(name), checkedValue(value));
    return new HttpResponse(ResponseHead.of(head.status(), headers), body);
  }

  /** The status code. */
  public int status() {
    return head.status();
  }

  /**
   * Sends the header section. Engines keep the encoding of whole heads, and compression tables
   * their fields, which would only wear out with heads that never come again: so the first time the
   * fields go beside a bare head.
   */
  void writeHead(HttpStream stream, boolean end) {
    if (sent) {
      stream.head(head, null, end);
    } else {
      sent = true;
      stream.head(bare(head.status()), head.headers(), end);
    }
  }

  private static ResponseHead bare(int status) {
    if (BARE[status] == null) {
      BARE[status] = ResponseHead.of(status, new Headers());
    }
    return BARE[status];
  }

  byte[] body() {
    return body;
  }

  private static String checkedName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    boolean token = !lower.isEmpty();
    for (int i = 0; i < lower.length(); i++) {
      token &= Token.mayHoldInLowerCase(lower.charAt(i));
    }
    if (!token) {
      throw new IllegalArgumentException("\"" + name + "\" is not a header field name");
    }
    return lower;
  }

  private static String checkedValue(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if ((c < ' ' && c != '\t') || c == 0x7f || c > 0xff) {
        throw new IllegalArgumentException("a header value has the character " + (int) c);
      }
    }
    if (!value.strip().equals(value)) {
      throw new IllegalArgumentException("a header value begins or ends with white space");
    }
    return value;
  }
}
