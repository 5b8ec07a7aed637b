package dev.peregrine.wire.http1;

import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.PeerLimit;

/**
 * Reads the content of one request after another, sized or chunked, with its trailer section (RFC
 * 9112, 6 and 7.1), and hands it to the exchange. Loop-confined, one per connection.
 */
final class ContentReader {

  /** What comes next. */
  private enum Part {
    NOTHING,
    SIZED,
    CHUNK_LINE,
    CHUNK,
    CHUNK_END,
    TRAILERS
  }

  /** 2^60 − 1 has as many; a longer number is a mistake or an attack. */
  private static final int MAX_SIZE_DIGITS = 15;

  /** What every chunk line may take before it counts as overhead, in bytes. */
  private static final int FREE_LINE_BYTES = 16;

  private final Http1Limits limits;

  private Part part = Part.NOTHING;
  private long leftBytes;
  private long receivedBytes;
  private int overheadBytes;
  private int trailerBytes;
  private Headers trailers;

  /** Bytes of the current line that have been searched for its end. */
  private int searched;

  ContentReader(Http1Limits limits) {
    this.limits = limits;
  }

  /** A request begins. */
  void begin(RequestHead head) throws RequestError {
    receivedBytes = 0;
    overheadBytes = 0;
    trailerBytes = 0;
    searched = 0;
    if (head.contentBytes() == RequestHead.CHUNKED) {
      part = Part.CHUNK_LINE;
    } else {
      leftBytes = head.contentBytes();
      part = leftBytes == 0 ? Part.NOTHING : Part.SIZED;
      checkContent();
    }
  }

  /** Whether the peer owes bytes that it has begun to send: it must not dawdle with them. */
  boolean isUnderWay() {
    return part != Part.NOTHING && (part != Part.CHUNK_LINE || searched > 0);
  }

  /** Content bytes of this request that have arrived. */
  long receivedBytes() {
    return receivedBytes;
  }

  /**
   * Whether more than so many bytes may still come; of chunks nobody knows.
   *
   * @param bytes a number of bytes
   */
  boolean mayExceed(int bytes) {
    return part == Part.SIZED ? leftBytes > bytes : part != Part.NOTHING;
  }

  /**
   * Reads on, as far as the exchange has room.
   *
   * @return where the first byte is that was not read
   */
  int read(byte[] bytes, int offset, int end, Http1Exchange exchange) throws RequestError {
    int at = offset;
    while (part != Part.NOTHING && at < end) {
      int before = at;
      at =
          switch (part) {
            case SIZED, CHUNK -> content(bytes, at, end, exchange);
            case CHUNK_LINE -> chunkLine(bytes, at, end);
            case CHUNK_END -> chunkEnd(bytes, at, end);
            case TRAILERS -> trailerLine(bytes, at, end, exchange);
            case NOTHING -> at;
          };
      if (at == before) {
        break;
      }
    }
    return at;
  }

  private int content(byte[] bytes, int at, int end, Http1Exchange exchange) {
    int room = exchange.windowBytes();
    int length = (int) Math.min(Math.min(leftBytes, end - at), room);
    if (length > 0) {
      leftBytes -= length;
      receivedBytes += length;
      boolean last = leftBytes == 0 && part == Part.SIZED;
      if (leftBytes == 0) {
        part = last ? Part.NOTHING : Part.CHUNK_END;
      }
      exchange.onContent(bytes, at, length, last);
    }
    return at + length;
  }

  /** {@code 1*HEXDIG *( BWS ";" … ) CRLF} (RFC 9112, 7.1). */
  private int chunkLine(byte[] bytes, int at, int end) throws RequestError {
    int lineFeed = FieldSyntax.indexOfLineFeed(bytes, at + searched, end);
    int lineEnd = lineFeed < 0 ? end : lineFeed + 1;
    if (lineEnd - at > limits.chunkLineBytes()) {
      throw RequestError.limit(
          PeerLimit.CHUNK_OVERHEAD,
          400,
          "chunk line of more than " + limits.chunkLineBytes() + " bytes");
    }
    if (lineFeed < 0) {
      searched = end - at;
      return at;
    }
    searched = 0;
    FieldSyntax.requireCarriageReturn(bytes, at, lineFeed);
    leftBytes = chunkSize(bytes, at, lineFeed - 1);
    countOverhead(lineEnd - at);
    checkContent();
    part = leftBytes == 0 ? Part.TRAILERS : Part.CHUNK;
    return lineEnd;
  }

  private static long chunkSize(byte[] bytes, int start, int end) throws RequestError {
    int at = start;
    long size = 0;
    int digit;
    while (at < end && (digit = Character.digit(bytes[at], 16)) >= 0) {
      size = size << 4 | digit;
      at++;
    }
    if (at == start || at - start > MAX_SIZE_DIGITS) {
      throw RequestError.malformed("a chunk has no valid size");
    }
    int sizeEnd = at;
    while (at < end && FieldSyntax.isBlank(bytes[at])) {
      at++;
    }
    boolean extended = at < end && bytes[at] == ';';
    if (!extended && (at < end || at > sizeEnd)) {
      throw RequestError.malformed("a chunk size is followed by something else");
    }
    for (; at < end; at++) {
      byte c = bytes[at];
      if ((c >= 0 && c < ' ' && c != '\t') || c == 0x7f) {
        throw RequestError.malformed("a chunk extension has a control character");
      }
    }
    return size;
  }

  /** Chunks of a byte each, or with extensions, make us work for nothing. */
  private void countOverhead(int lineBytes) throws RequestError {
    long allowance = FREE_LINE_BYTES + 2 * Math.min(leftBytes, limits.chunkOverheadBytes());
    overheadBytes = (int) Math.max(0, overheadBytes + lineBytes + 2 - allowance);
    if (overheadBytes > limits.chunkOverheadBytes()) {
      throw RequestError.limit(
          PeerLimit.CHUNK_OVERHEAD,
          400,
          "chunk lines of more than " + limits.chunkOverheadBytes() + " bytes");
    }
  }

  private void checkContent() throws RequestError {
    if (leftBytes > limits.contentBytes() - receivedBytes) {
      throw RequestError.limit(
          PeerLimit.CONTENT_BYTES, 413, "content of more than " + limits.contentBytes() + " bytes");
    }
  }

  private int chunkEnd(byte[] bytes, int at, int end) throws RequestError {
    boolean whole = end - at >= 2;
    if (bytes[at] != '\r' || (whole && bytes[at + 1] != '\n')) {
      throw RequestError.malformed("a chunk does not end with CR LF where its size says");
    }
    if (!whole) {
      return at;
    }
    part = Part.CHUNK_LINE;
    return at + 2;
  }

  private int trailerLine(byte[] bytes, int at, int end, Http1Exchange exchange)
      throws RequestError {
    int lineFeed = FieldSyntax.indexOfLineFeed(bytes, at + searched, end);
    int lineEnd = lineFeed < 0 ? end : lineFeed + 1;
    if (trailerBytes + lineEnd - at > limits.trailerBytes() + 2) {
      throw RequestError.limit(
          PeerLimit.HEADER_BYTES,
          431,
          "trailer section of more than " + limits.trailerBytes() + " bytes");
    }
    if (lineFeed < 0) {
      searched = end - at;
      return at;
    }
    searched = 0;
    trailerBytes += lineEnd - at;
    FieldSyntax.requireCarriageReturn(bytes, at, lineFeed);
    if (lineFeed - 1 == at) {
      end(exchange);
    } else {
      addTrailer(bytes, at, lineFeed - 1);
    }
    return lineEnd;
  }

  private void addTrailer(byte[] bytes, int start, int end) throws RequestError {
    if (trailers == null) {
      trailers = new Headers();
    }
    if (trailers.size() == limits.headerCount()) {
      throw RequestError.limit(
          PeerLimit.HEADER_BYTES, 431, "more than " + limits.headerCount() + " trailer fields");
    }
    FieldSyntax.add(bytes, start, end, trailers);
    HeaderName name = trailers.name(trailers.size() - 1);
    // RFC 9110, 6.5.1: what frames or routes a message cannot come after it.
    if (name.isConnectionSpecific()
        || name.equals(HeaderName.CONTENT_LENGTH)
        || name.equals(HeaderName.HOST)) {
      throw RequestError.malformed("a trailer field is not allowed there: " + name);
    }
  }

  private void end(Http1Exchange exchange) {
    part = Part.NOTHING;
    Headers fields = trailers;
    trailers = null;
    exchange.onContentEnd(fields);
  }

  /** The connection is over. */
  void stop() {
    part = Part.NOTHING;
    trailers = null;
  }
}
