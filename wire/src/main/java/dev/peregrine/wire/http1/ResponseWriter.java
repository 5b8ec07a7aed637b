package dev.peregrine.wire.http1;

import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.Output;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.Transport;
import java.nio.charset.StandardCharsets;

/** Writes heads, chunks and trailer sections (RFC 9112, 4 to 7). Loop-confined. */
final class ResponseWriter {

  private static final byte[] CRLF = ascii("\r\n");
  private static final byte[] CONTINUE = ascii("HTTP/1.1 100 Continue\r\n\r\n");
  private static final byte[] NO_CONTENT = ascii("content-length: 0\r\n");
  private static final byte[] CHUNKED = ascii("transfer-encoding: chunked\r\n");
  private static final byte[] CLOSE = ascii("connection: close\r\n");
  private static final byte[] KEEP_ALIVE = ascii("connection: keep-alive\r\n");
  private static final byte[] LAST_CHUNK = ascii("0\r\n");
  private static final byte[] CONTENT_LENGTH = ascii("content-length: ");
  private static final byte[] HEX = ascii("0123456789abcdef");

  /** How a head ends that says that chunks follow, in bytes. */
  private static final int CHUNKED_END_BYTES = CHUNKED.length + CRLF.length;

  private final Transport transport;
  private final DateField date;

  /**
   * A writer.
   *
   * @param date {@code null} for responses without one
   */
  ResponseWriter(Transport transport, DateField date) {
    this.transport = transport;
    this.date = date;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  void continued() {
    transport.output().write(CONTINUE, 0, CONTINUE.length);
  }

  /** A whole interim response (RFC 9110, 15.2). */
  void interim(EncodedHead head, int status, Headers extra) {
    Output out = transport.output();
    write(out, head.bytes());
    fields(out, extra, status);
    write(out, CRLF);
  }

  /** The head of a final response, up to its empty line. */
  void head(
      EncodedHead head, int status, Headers extra, Framing framing, boolean close, boolean keep) {
    Output out = transport.output();
    write(out, head.bytes());
    boolean dated = head.dated();
    if (extra != null) {
      // A content-length among the fixed fields counts, and there must not be another.
      dated |= fields(out, extra, head.contentLength() < 0 ? status : 0);
    }
    if (date != null && !dated) {
      write(out, date.line());
    }
    if (close) {
      write(out, CLOSE);
    } else if (keep) {
      write(out, KEEP_ALIVE);
    }
    if (framing == Framing.EMPTY) {
      write(out, NO_CONTENT);
    } else if (framing == Framing.CHUNKED) {
      write(out, CHUNKED); // last: see resize
    }
    write(out, CRLF);
  }

  /**
   * Turns the head at the end of the output, which announces chunks, into one with the content's
   * length: all of the content is here before the head has left.
   */
  void resize(int contentBytes) {
    Output out = transport.output();
    out.truncate(out.size() - CHUNKED_END_BYTES);
    write(out, CONTENT_LENGTH);
    int digits = 1;
    for (int rest = contentBytes; rest >= 10; rest /= 10) {
      digits++;
    }
    int at = out.claim(digits);
    byte[] array = out.array();
    int rest = contentBytes;
    for (int i = at + digits - 1; i >= at; i--) {
      array[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    write(out, CRLF);
    write(out, CRLF);
  }

  /**
   * A chunk around room for its content (RFC 9112, 7.1).
   *
   * @param length in bytes, ≥ 1
   * @return the offset of the room in the output's array
   */
  int chunk(int length) {
    int digits = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 3) / 4;
    Output out = transport.output();
    int at = out.claim(digits + 2 + length + 2);
    byte[] array = out.array();
    for (int i = digits - 1; i >= 0; i--) {
      array[at++] = HEX[length >>> (4 * i) & 0xf];
    }
    array[at++] = '\r';
    array[at++] = '\n';
    array[at + length] = '\r';
    array[at + length + 1] = '\n';
    return at;
  }

  /** The last chunk and the trailer section. */
  void lastChunk(ResponseHead trailers, Headers extra) {
    Output out = transport.output();
    write(out, LAST_CHUNK);
    if (trailers != null) {
      write(out, EncodedHead.of(trailers).bytes());
      fields(out, extra, 0);
    }
    write(out, CRLF);
  }

  /** A whole response that says what is wrong; the connection ends with it. */
  void error(int status, String reason, boolean withContent) {
    Output out = transport.output();
    byte[] content = (reason + "\n").getBytes(StandardCharsets.US_ASCII);
    String head =
        "HTTP/1.1 "
            + status
            + " "
            + Reasons.of(status)
            + "\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: "
            + content.length
            + "\r\n";
    write(out, ascii(head));
    if (date != null) {
      write(out, date.line());
    }
    write(out, CLOSE);
    write(out, CRLF);
    if (withContent) {
      write(out, content);
    }
  }

  private static void write(Output out, byte[] bytes) {
    out.write(bytes, 0, bytes.length);
  }

  /** Field lines; returns whether there is a date among them. */
  private static boolean fields(Output out, Headers fields, int status) {
    boolean dated = false;
    for (int i = 0; fields != null && i < fields.size(); i++) {
      HeaderName name = fields.name(i);
      if (EncodedHead.isWritten(name, status)) {
        dated |= name.equals(EncodedHead.DATE);
        field(out, name.toString(), fields.value(i));
      }
    }
    return dated;
  }

  private static void field(Output out, String name, String value) {
    int at = out.claim(name.length() + 2 + value.length() + 2);
    byte[] array = out.array();
    for (int i = 0; i < name.length(); i++) {
      array[at++] = (byte) name.charAt(i);
    }
    array[at++] = ':';
    array[at++] = ' ';
    for (int i = 0; i < value.length(); i++) {
      array[at++] = (byte) EncodedHead.cleaned(value.charAt(i));
    }
    array[at++] = '\r';
    array[at] = '\n';
  }
}
