package dev.peregrine.wire.http1;

import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.ResponseHead;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of a response head without what the engine adds, and what its fields tell the engine.
 * Kept by the {@link ResponseHead} itself, since all connections write the same. Immutable, any
 * thread.
 */
final class EncodedHead {

  /** There is no content-length field. */
  static final long NO_LENGTH = -1;

  static final HeaderName DATE = HeaderName.of("date");

  private final byte[] bytes;
  private final long contentLength;
  private final boolean closes;
  private final boolean dated;

  private EncodedHead(byte[] bytes, long contentLength, boolean closes, boolean dated) {
    this.bytes = bytes;
    this.contentLength = contentLength;
    this.closes = closes;
    this.dated = dated;
  }

  /** The encoding of a head, made when it is first sent. */
  static EncodedHead of(ResponseHead head) {
    if (head.encoding() instanceof EncodedHead encoded) {
      return encoded;
    }
    EncodedHead encoded = encode(head);
    head.encoding(encoded);
    return encoded;
  }

  /** Status line and field lines, each with its CRLF. */
  byte[] bytes() {
    return bytes;
  }

  long contentLength() {
    return contentLength;
  }

  /** Whether the connection is to be closed after the response. */
  boolean closes() {
    return closes;
  }

  /** Whether there is a date field. */
  boolean dated() {
    return dated;
  }

  private static EncodedHead encode(ResponseHead head) {
    int status = head.status();
    Headers fields = head.headers();
    StringBuilder text = new StringBuilder();
    if (status > 0) {
      text.append("HTTP/1.1 ").append(status).append(' ').append(Reasons.of(status)).append("\r\n");
    }
    boolean dated = false;
    for (int i = 0; i < fields.size(); i++) {
      HeaderName name = fields.name(i);
      dated |= name.equals(DATE);
      if (isWritten(name, status)) {
        text.append(name).append(": ");
        appendValue(text, fields.value(i));
        text.append("\r\n");
      }
    }
    return new EncodedHead(
        text.toString().getBytes(StandardCharsets.ISO_8859_1),
        contentLength(fields),
        closes(fields),
        dated);
  }

  /** Line ends in a value would end the field, or the response: nobody may put them there. */
  private static void appendValue(StringBuilder text, String value) {
    for (int i = 0; i < value.length(); i++) {
      text.append(cleaned(value.charAt(i)));
    }
  }

  /** A character of a value as it may be sent. */
  static char cleaned(char c) {
    return c == '\r' || c == '\n' || c == 0 ? ' ' : c;
  }

  /**
   * Whether a field given by the call layer is sent.
   *
   * @param status 0 for a trailer section
   */
  static boolean isWritten(HeaderName name, int status) {
    boolean ofConnection = name.isConnectionSpecific() && !name.equals(HeaderName.UPGRADE);
    if (name.isPseudo() || ofConnection) {
      return false; // what frames the message is the engine's matter
    }
    // RFC 9110, 8.6: no Content-Length with 1xx and 204; nor does it belong in trailers.
    return !name.equals(HeaderName.CONTENT_LENGTH) || (status >= 200 && status != 204);
  }

  /** The content-length among fields, or {@link #NO_LENGTH}. */
  static long contentLength(Headers fields) {
    String value = fields.get(HeaderName.CONTENT_LENGTH);
    return value == null ? NO_LENGTH : Long.parseLong(value);
  }

  /** Whether fields ask for the connection to be closed. */
  static boolean closes(Headers fields) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i).equals(HeaderName.CONNECTION)
          && HeadRules.listHas(fields.value(i), "close")) {
        return true;
      }
    }
    return false;
  }
}
