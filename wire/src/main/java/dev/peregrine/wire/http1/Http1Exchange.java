package dev.peregrine.wire.http1;

import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.HttpVersion;
import dev.peregrine.wire.Output;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.StreamListener;
import dev.peregrine.wire.Transport;

/**
 * One request and its response. Loop-confined. The engine allocates nothing else for a request, so
 * that fields are few.
 */
final class Http1Exchange implements HttpStream {

  /** What is written to the output at once, and the largest room given away in it. */
  private static final int PIECE_BYTES = 64 << 10;

  /** What one peer may get in one go while others of the loop wait, in bytes. */
  private static final int PUMP_BYTES = 1 << 20;

  /** There is no limit that the peer could announce; what clients usually accept. */
  private static final int PEER_HEADER_BYTES = 8 << 10;

  private static final byte[] NOTHING = {};

  private final Http1Connection connection;
  private final RequestHead request;
  private StreamListener listener;

  /** How the response is framed; {@code null} until its head was sent. */
  private Framing framing;

  private long contentLeftBytes;
  private int unreadBytes;
  private int queuedBytes;
  private long keptBytes;
  private Unsent first;
  private Unsent last;

  /** Where the head ends in the output as long as no content has followed. */
  private int headEnd;

  private boolean requestEnded;

  /** The call layer has said that the response ends. */
  private boolean ending;

  /** The response has been written, or never will be. */
  private boolean over;

  private boolean closing;
  private boolean continued;

  Http1Exchange(Http1Connection connection, RequestHead request) {
    this.connection = connection;
    this.request = request;
    this.requestEnded = !request.hasContent();
  }

  void listener(StreamListener value) {
    listener = value;
  }

  RequestHead request() {
    return request;
  }

  boolean requestEnded() {
    return requestEnded;
  }

  boolean headSent() {
    return framing != null;
  }

  /** 100 was sent. */
  void continued() {
    continued = true;
  }

  boolean isContinued() {
    return continued;
  }

  /** Whether the response has been written, or never will be. */
  boolean isOver() {
    return over;
  }

  /** Whether the connection ends with this response. */
  boolean closing() {
    return closing;
  }

  // The request's content

  /** How much more content the call layer may be given, in bytes. */
  int windowBytes() {
    return over ? Integer.MAX_VALUE : Math.max(0, connection.limits().windowBytes() - unreadBytes);
  }

  /** Content that the call layer has not given back, in bytes. */
  int unreadBytes() {
    return unreadBytes;
  }

  void onContent(byte[] bytes, int offset, int length, boolean end) {
    requestEnded = end;
    if (!over) {
      unreadBytes += length;
      listener.onData(bytes, offset, length, end);
    }
  }

  /** The last chunk and the trailer section, {@code null} if it is empty. */
  void onContentEnd(Headers trailers) {
    requestEnded = true;
    if (over) {
      return;
    }
    if (trailers == null) {
      listener.onData(NOTHING, 0, 0, true);
    } else {
      listener.onTrailers(trailers);
    }
  }

  /** The connection is over: from now on nothing is written, whoever asks. */
  void lost(ErrorCode code) {
    if (!over) {
      forget();
      if (listener != null) {
        listener.onReset(code);
      }
    }
  }

  private void forget() {
    over = true;
    ending = true;
    first = null;
    last = null;
    queuedBytes = 0;
    keptBytes = 0;
    unreadBytes = 0;
  }

  // The response

  @Override
  public void head(ResponseHead head, Headers extra, boolean end) {
    if (over) {
      return;
    }
    if (framing != null) {
      throw new IllegalStateException("the response has a head already");
    }
    EncodedHead encoded = EncodedHead.of(head);
    int status = head.status();
    if (status < 200) {
      interim(encoded, status, extra);
      return;
    }
    long length = encoded.contentLength();
    boolean close = encoded.closes();
    if (extra != null) {
      length = length < 0 ? EncodedHead.contentLength(extra) : length;
      close |= EncodedHead.closes(extra);
    }
    closing = close || !request.keepsAlive() || connection.isLastResponse(this);
    framing = framing(status, length, end);
    closing |= framing == Framing.CLOSE;
    contentLeftBytes = length;
    boolean keep = request.isHttp10() && !closing;
    connection.writer().head(encoded, status, extra, framing, closing, keep);
    headEnd = connection.transport().output().size();
    if (end) {
      finishContent();
    }
  }

  private void interim(EncodedHead encoded, int status, Headers extra) {
    // RFC 9110, 15.2: HTTP/1.0 has none. 101 would leave HTTP, which nobody here can.
    if (status != 101 && !request.isHttp10()) {
      connection.writer().interim(encoded, status, extra);
    }
  }

  private Framing framing(int status, long length, boolean end) {
    if (request.isHead() || status == 204 || status == 304) {
      return Framing.NONE;
    }
    if (length >= 0) {
      return Framing.SIZED;
    }
    if (end) {
      return Framing.EMPTY;
    }
    return request.isHttp10() ? Framing.CLOSE : Framing.CHUNKED;
  }

  @Override
  public int claim(int length) {
    if (over) {
      return -1;
    }
    requireContentAllowed();
    Transport transport = connection.transport();
    if (first != null || framing == Framing.NONE || length > PIECE_BYTES || !transport.writable()) {
      return -1;
    }
    return room(length);
  }

  /** Room for content in the output, framed and counted. */
  private int room(int length) {
    headEnd = 0;
    Output out = connection.transport().output();
    if (length == 0) {
      return out.size();
    }
    count(length);
    return framing == Framing.CHUNKED ? connection.writer().chunk(length) : out.claim(length);
  }

  /** More than was announced would be taken for the next response. */
  private void count(int length) {
    if (framing == Framing.SIZED) {
      if (length > contentLeftBytes) {
        throw new IllegalStateException("content is longer than its content-length");
      }
      contentLeftBytes -= length;
    }
  }

  @Override
  public void data(byte[] bytes, int offset, int length, boolean end) {
    if (over) {
      return;
    }
    requireContentAllowed();
    if (framing == Framing.NONE) {
      if (end) {
        finishContent();
      }
      return;
    }
    if (end && framing == Framing.CHUNKED && isHeadUntouched()) {
      connection.writer().resize(length);
      framing = Framing.SIZED;
      contentLeftBytes = length;
    }
    int done = first == null ? write(bytes, offset, length) : 0;
    if (done < length || (end && first != null)) {
      ending = end;
      enqueue(new Unsent(bytes, offset + done, length - done, end));
    } else if (end) {
      finishContent();
    }
  }

  /** Whether the head is still the last thing in the output, so that it can be changed. */
  private boolean isHeadUntouched() {
    return headEnd > 0 && headEnd == connection.transport().output().size();
  }

  /** Writes as long as the socket takes it; returns how much was written. */
  private int write(byte[] bytes, int offset, int length) {
    Transport transport = connection.transport();
    int done = 0;
    while (done < length && transport.writable()) {
      int piece = Math.min(length - done, PIECE_BYTES);
      int at = room(piece);
      System.arraycopy(bytes, offset + done, transport.output().array(), at, piece);
      done += piece;
      connection.flushIfFull();
    }
    return done;
  }

  private void requireContentAllowed() {
    if (framing == null || ending) {
      throw new IllegalStateException(
          framing == null ? "content before the head" : "the response has ended");
    }
  }

  @Override
  public void trailers(ResponseHead trailers, Headers extra) {
    if (over) {
      return;
    }
    requireContentAllowed();
    if (first != null) {
      ending = true;
      enqueue(new Unsent(trailers, extra));
    } else {
      finish(trailers, extra);
    }
  }

  private void finishContent() {
    finish(null, null);
  }

  /** Only chunked content has trailer fields; elsewhere there is no room for them. */
  private void finish(ResponseHead trailers, Headers extra) {
    ending = true;
    if (framing == Framing.CHUNKED) {
      connection.writer().lastChunk(trailers, extra);
    } else if (framing == Framing.SIZED && contentLeftBytes > 0) {
      closing = true; // the peer waits for more, which never comes
    }
    over = true;
    unreadBytes = 0;
    connection.responseEnded(this);
  }

  @Override
  public void reset(ErrorCode code) {
    if (!over) {
      forget();
      connection.abandon();
    }
  }

  @Override
  public void credit(int bytes) {
    if (!over) {
      unreadBytes -= Math.min(bytes, unreadBytes);
      connection.credited(this);
    }
  }

  /** The memory kept by content that waits, in bytes. */
  long keptBytes() {
    return keptBytes;
  }

  // What waits for the socket

  private void enqueue(Unsent unsent) {
    if (queuedBytes > connection.limits().queueMaxBytes()) {
      connection.overflow();
      return;
    }
    queuedBytes += unsent.length();
    keptBytes += unsent.keptBytes();
    if (first == null) {
      first = unsent;
    } else {
      last.next = unsent;
    }
    last = unsent;
  }

  /** Writes what waits, as far as the socket takes it. */
  void pump() {
    int before = queuedBytes;
    Transport transport = connection.transport();
    int written = 0;
    while (first != null && transport.writable()) {
      if (written >= PUMP_BYTES) {
        transport.wake();
        break;
      }
      Unsent unsent = first;
      int piece = Math.min(unsent.length(), PIECE_BYTES);
      if (piece > 0) {
        int at = room(piece);
        unsent.take(transport.output().array(), at, piece);
        queuedBytes -= piece;
        written += piece;
      }
      if (unsent.length() == 0) {
        first = unsent.next;
        keptBytes -= unsent.keptBytes();
        if (unsent.end()) {
          finish(unsent.trailers(), unsent.extra());
        }
      }
      connection.flushIfFull();
    }
    int mark = connection.limits().queueMarkBytes();
    boolean fell = (before >= mark && queuedBytes < mark) || (before > 0 && queuedBytes == 0);
    if (fell && !ending && listener != null) {
      listener.onWritable();
    }
  }

  @Override
  public int queuedBytes() {
    return queuedBytes;
  }

  @Override
  public int peerMaxHeaderListBytes() {
    return PEER_HEADER_BYTES;
  }

  @Override
  public HttpVersion version() {
    return request.version();
  }

  @Override
  public Transport transport() {
    return connection.transport();
  }
}
