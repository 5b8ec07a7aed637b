package dev.peregrine.wire.http1;

import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpVersion;
import dev.peregrine.wire.PeerLimit;
import dev.peregrine.wire.Token;
import java.nio.charset.StandardCharsets;

/**
 * Reads request heads, line by line as they arrive (RFC 9112, 2 to 6). Loop-confined, one per
 * connection.
 *
 * <p>What is wrong is told at the end of the line that is wrong, however the bytes were cut.
 * Between calls the caller keeps the bytes of a head that is not complete.
 */
final class RequestParser {

  private static final int VERSION_BYTES = "HTTP/1.1".length();

  private final Http1Limits limits;

  private String scheme = "http";
  private int scanned;
  private int lineAt;
  private int fieldsAt;
  private String method;
  private RequestTarget target;
  private HttpVersion version;
  private Headers fields;

  RequestParser(Http1Limits limits) {
    this.limits = limits;
  }

  /** The scheme of targets that name none; {@code http} otherwise. */
  void scheme(String value) {
    scheme = value;
  }

  /** Whether part of a head has been read. */
  boolean hasBegun() {
    return scanned > 0;
  }

  /** Whether the method has been read and is HEAD. */
  boolean isHead() {
    return "HEAD".equals(method);
  }

  /** Whether all that was read are empty lines before a request line: as good as nothing. */
  boolean hasEmptyLinesOnly() {
    return method == null && lineAt == scanned;
  }

  /** The length of what was read, in bytes: that of the head once it is complete. */
  int headBytes() {
    return scanned;
  }

  /** Forgets the head, for the next one. */
  void reset() {
    scanned = 0;
    lineAt = 0;
    fieldsAt = 0;
    method = null;
    target = null;
    version = null;
    fields = null;
  }

  /**
   * Reads on.
   *
   * @param offset where the head begins, in this call as in those before
   * @return the head, or {@code null} when more bytes are needed
   */
  RequestHead read(byte[] bytes, int offset, int end) throws RequestError {
    while (true) {
      int lineStart = offset + lineAt;
      int lineFeed = FieldSyntax.indexOfLineFeed(bytes, offset + scanned, end);
      int lineEnd = lineFeed < 0 ? end : lineFeed + 1;
      checkLength(offset, lineStart, lineEnd);
      scanned = lineEnd - offset;
      if (lineFeed < 0) {
        return null;
      }
      FieldSyntax.requireCarriageReturn(bytes, lineStart, lineFeed);
      lineAt = scanned;
      if (method == null) {
        requestLine(bytes, lineStart, lineFeed - 1);
      } else if (lineFeed - 1 == lineStart) {
        return HeadRules.judge(method, target, version, fields, scheme);
      } else {
        if (fields.size() == limits.headerCount()) {
          throw RequestError.limit(
              PeerLimit.HEADER_BYTES, 431, "more than " + limits.headerCount() + " header fields");
        }
        FieldSyntax.add(bytes, lineStart, lineFeed - 1, fields);
      }
    }
  }

  private void checkLength(int offset, int lineStart, int lineEnd) throws RequestError {
    if (method == null) {
      if (lineEnd - lineStart > limits.requestLineBytes()) {
        throw RequestError.limit(
            PeerLimit.HEADER_BYTES,
            414,
            "request line of more than " + limits.requestLineBytes() + " bytes");
      }
    } else if (lineEnd - offset - fieldsAt > limits.headerBytes()) {
      throw RequestError.limit(
          PeerLimit.HEADER_BYTES,
          431,
          "header section of more than " + limits.headerBytes() + " bytes");
    }
  }

  private void requestLine(byte[] bytes, int start, int end) throws RequestError {
    if (start == end) {
      return; // RFC 9112, 2.2: some clients send an empty line after content
    }
    int methodEnd = start;
    while (methodEnd < end && Token.mayHold(bytes[methodEnd])) {
      methodEnd++;
    }
    int targetEnd = end - VERSION_BYTES - 1;
    boolean versioned = targetEnd >= start && isVersion(bytes, targetEnd);
    if (!versioned && !mentionsHttp(bytes, start, end)) {
      // RFC 9113, 3.4: to whom this is a broken HTTP/2 preface, text would be a broken frame.
      throw RequestError.silent("the first line is not a request line");
    }
    boolean wellFormed =
        versioned && methodEnd > start && methodEnd < targetEnd && bytes[methodEnd] == ' ';
    if (!wellFormed) {
      throw RequestError.malformed("the request line is not a method, a target and a version");
    }
    version = version(bytes[end - 3], bytes[end - 1]);
    method = new String(bytes, start, methodEnd - start, StandardCharsets.ISO_8859_1);
    target = RequestTarget.parse(method, bytes, methodEnd + 1, targetEnd);
    fields = new Headers();
    fieldsAt = scanned;
  }

  /** Whether " HTTP/d.d" stands there, to the end of the line. */
  private static boolean isVersion(byte[] bytes, int at) {
    return bytes[at] == ' '
        && isHttp(bytes, at + 1)
        && isDigit(bytes[at + 6])
        && bytes[at + 7] == '.'
        && isDigit(bytes[at + 8]);
  }

  private static boolean mentionsHttp(byte[] bytes, int start, int end) {
    for (int i = start; i + 6 <= end; i++) {
      if (bytes[i] == ' ' && isHttp(bytes, i + 1)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isHttp(byte[] bytes, int at) {
    return bytes[at] == 'H'
        && bytes[at + 1] == 'T'
        && bytes[at + 2] == 'T'
        && bytes[at + 3] == 'P'
        && bytes[at + 4] == '/';
  }

  private static boolean isDigit(byte c) {
    return c >= '0' && c <= '9';
  }

  /** RFC 9110, 2.5: a higher minor version is answered as the highest one known. */
  private static HttpVersion version(byte major, byte minor) throws RequestError {
    if (major != '1') {
      throw RequestError.refused(505, "this major version of HTTP is not spoken here");
    }
    return minor == '0' ? HttpVersion.HTTP_1_0 : HttpVersion.HTTP_1_1;
  }
}
