package dev.peregrine.wire.http2;

import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.Output;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.StreamListener;
import dev.peregrine.wire.Transport;

/**
 * One request and its response. Loop-confined. The engine allocates nothing else for a call, so
 * that fields are few.
 */
final class Http2Stream implements HttpStream {

  private final Http2Connection connection;
  private final int id;
  private StreamState state = StreamState.IDLE;
  private StreamListener listener;

  // Receiving
  private int receiveWindowBytes;
  private int unreadBytes;
  private long contentLeftBytes; // negative if not known

  // Sending
  private int sendWindowBytes;
  private int queuedBytes;
  private long keptBytes;
  private Chunk first;
  private Chunk last;
  private boolean contentBegun;
  private boolean ending;

  /** The list of {@link SendQueue} this stream is in, and its neighbours there. */
  StreamList list;

  Http2Stream previous;
  Http2Stream next;

  Http2Stream(
      Http2Connection connection,
      int id,
      long contentLengthBytes,
      int receiveWindowBytes,
      int sendWindowBytes) {
    this.connection = connection;
    this.id = id;
    this.contentLeftBytes = contentLengthBytes;
    this.receiveWindowBytes = receiveWindowBytes;
    this.sendWindowBytes = sendWindowBytes;
  }

  int id() {
    return id;
  }

  StreamState state() {
    return state;
  }

  void listener(StreamListener value) {
    listener = value;
  }

  // What the peer sends

  /** The request's header section. */
  void onHeaders(boolean end) throws StreamError, ConnectionError {
    state = state.recvHeaders(id, end);
    if (end && contentLeftBytes > 0) {
      throw new StreamError(id, ErrorCode.PROTOCOL_ERROR, "content-length without content");
    }
  }

  /** The request's trailer section. */
  void onTrailers(Headers trailers, boolean end) throws StreamError, ConnectionError {
    state = state.recvHeaders(id, end);
    HeaderRules.checkTrailers(id, trailers);
    if (contentLeftBytes > 0) {
      throw new StreamError(id, ErrorCode.PROTOCOL_ERROR, "content is shorter than content-length");
    }
    listener.onTrailers(trailers);
  }

  /** A DATA frame begins; its content follows by {@link #onContent}. */
  void onData(int frameBytes, int contentBytes, boolean end) throws StreamError, ConnectionError {
    state = state.recvData(id, end);
    receiveWindowBytes = FlowWindow.receive(receiveWindowBytes, frameBytes, id);
    if (contentLeftBytes >= 0) {
      contentLeftBytes -= contentBytes;
      // RFC 9113, 8.1.1: content-length is the sum of the DATA frames' content.
      if (contentLeftBytes < 0 || (end && contentLeftBytes > 0)) {
        throw new StreamError(id, ErrorCode.PROTOCOL_ERROR, "content does not fit content-length");
      }
    }
    unreadBytes += contentBytes;
    connection.receiveWindow().unread(contentBytes);
    if (frameBytes > contentBytes) {
      grantWindow(); // nobody will give padding back
    }
  }

  /**
   * Content of the current DATA frame.
   *
   * @param last whether the frame is complete with it
   */
  void onContent(byte[] bytes, int offset, int length, boolean last) {
    if (!state.isClosed()) {
      listener.onData(bytes, offset, length, last && state == StreamState.HALF_CLOSED_REMOTE);
    }
  }

  void onReset(ErrorCode code) throws ConnectionError {
    state = state.recvReset();
    over(code);
  }

  void onWindowUpdate(int increment) throws StreamError, ConnectionError {
    state = state.recvWindowUpdate();
    sendWindowBytes = FlowWindow.increase(sendWindowBytes, increment, id);
    connection.sendQueue().schedule(this);
  }

  /** The peer changed SETTINGS_INITIAL_WINDOW_SIZE. */
  void adjustSendWindow(int delta) throws ConnectionError {
    sendWindowBytes = FlowWindow.adjust(sendWindowBytes, delta);
    connection.sendQueue().schedule(this);
  }

  /** Our own SETTINGS_INITIAL_WINDOW_SIZE took effect. */
  void adjustReceiveWindow(int delta) {
    receiveWindowBytes += delta;
  }

  /** Ends the stream with RST_STREAM, and tells the listener. */
  void fail(ErrorCode code) {
    sendReset(code);
    over(code);
  }

  /** The connection is over: from now on nothing is written, whoever asks. */
  void lost() {
    if (!state.isClosed()) { // a fault may have left one here that had ended
      state = state.sendReset();
    }
    first = null;
    last = null;
    queuedBytes = 0;
    unreadBytes = 0;
  }

  private void over(ErrorCode code) {
    finish();
    tellReset(code);
  }

  void tellReset(ErrorCode code) {
    if (listener != null) {
      listener.onReset(code);
    }
  }

  // What we send

  @Override
  public void head(ResponseHead head, Headers extra, boolean end) {
    fields(head, extra, end);
  }

  @Override
  public void trailers(ResponseHead trailers, Headers extra) {
    fields(trailers, extra, true);
  }

  private void fields(ResponseHead head, Headers extra, boolean end) {
    if (state.isClosed()) {
      return;
    }
    requireNotEnding();
    // RFC 9113, 8.1: after content only a trailer section may come. SendQueue relies on it.
    if (contentBegun && !end) {
      throw new IllegalStateException("header section after content on stream " + id);
    }
    if (first == null && connection.transport().writable()) {
      sendFields(head, extra, end);
    } else {
      enqueue(Chunk.fields(head, extra, end));
    }
  }

  @Override
  public int claim(int length) {
    if (first != null || state.isClosed()) {
      return -1;
    }
    requireNotEnding();
    int at = connection.sendQueue().claim(this, length, false);
    if (at >= 0) {
      contentBegun = true;
      sentData(false);
    }
    return at;
  }

  @Override
  public void data(byte[] bytes, int offset, int length, boolean end) {
    if (state.isClosed()) {
      return;
    }
    requireNotEnding();
    if (length == 0 && !end) {
      return; // a frame without content or end would only cost
    }
    contentBegun = true;
    int at = first == null ? connection.sendQueue().claim(this, length, end) : -1;
    if (at >= 0) {
      System.arraycopy(bytes, offset, transport().output().array(), at, length);
      sentData(end);
    } else if (connection.hasQueueRoom()) {
      queuedBytes += length;
      Chunk chunk = Chunk.content(bytes, offset, length, end);
      connection.sendQueue().count(length);
      keep(chunk.keptBytes());
      enqueue(chunk);
    } else {
      fail(ErrorCode.ENHANCE_YOUR_CALM);
    }
  }

  private void requireNotEnding() {
    if (ending) {
      throw new IllegalStateException("response has ended on stream " + id);
    }
  }

  @Override
  public void reset(ErrorCode code) {
    if (!state.isClosed()) {
      sendReset(code);
      finish();
    }
  }

  @Override
  public void credit(int bytes) {
    int count = Math.min(bytes, unreadBytes); // what a stream held was given back when it ended
    if (count > 0) {
      unreadBytes -= count;
      connection.release(count);
      grantWindow();
    }
  }

  @Override
  public int queuedBytes() {
    return queuedBytes;
  }

  @Override
  public int peerMaxHeaderListBytes() {
    return connection.peer().maxHeaderListBytes();
  }

  @Override
  public Transport transport() {
    return connection.transport();
  }

  /** Announces receive window in halves, as long as the peer has more to send. */
  private void grantWindow() {
    if (state != StreamState.OPEN) {
      return;
    }
    int target = connection.streamWindowBytes();
    long increment = (long) target - receiveWindowBytes - unreadBytes;
    if (increment > 0 && increment * 2 >= target) {
      receiveWindowBytes += (int) increment;
      connection.writer().windowUpdate(id, (int) increment);
    }
  }

  private void sendFields(ResponseHead head, Headers extra, boolean end) {
    state = state.sendHeaders(end);
    connection.sent();
    connection.writer().headers(id, head, extra, end);
    if (end) {
      ended();
    }
  }

  /** A DATA frame was written. */
  void sentData(boolean end) {
    state = state.sendData(end);
    connection.sent();
    if (end) {
      ended();
    }
  }

  private void ended() {
    if (state == StreamState.HALF_CLOSED_LOCAL) {
      // RFC 9113, 8.1: the response is complete without the rest of the request.
      sendReset(ErrorCode.NO_ERROR);
    }
    connection.guardCompleted();
    finish();
  }

  private void sendReset(ErrorCode code) {
    state = state.sendReset();
    connection.writer().reset(id, code);
  }

  /** Lets go of everything; the state is a closed one. */
  private void finish() {
    ending = true;
    first = null;
    last = null;
    SendQueue queue = connection.sendQueue();
    queue.count(-queuedBytes);
    queuedBytes = 0;
    keep(-keptBytes);
    queue.remove(this);
    int unread = unreadBytes;
    unreadBytes = 0;
    connection.closed(this, unread);
  }

  // The queue, worked off by SendQueue

  private void keep(long bytes) {
    keptBytes += bytes;
    connection.sendQueue().keep(bytes);
  }

  private void enqueue(Chunk chunk) {
    ending = chunk.end();
    if (first == null) {
      first = chunk;
    } else {
      last.next = chunk;
    }
    last = chunk;
    SendQueue queue = connection.sendQueue();
    queue.schedule(this);
    queue.pump();
  }

  /** What is to be sent next, or {@code null}. */
  Chunk firstChunk() {
    return first;
  }

  int sendWindowBytes() {
    return sendWindowBytes;
  }

  void sendWindowTaken(int bytes) {
    sendWindowBytes -= bytes;
  }

  /** Sends the field sections that stand before the next content. */
  void sendQueuedFields() {
    while (first != null && !first.isContent()) {
      Chunk chunk = first;
      first = chunk.next;
      sendFields(chunk.head(), chunk.extra(), chunk.end());
    }
  }

  /** Whether the response ends with the next {@code length} bytes of content. */
  boolean endsWith(int length) {
    return length == queuedBytes && last.isContent() && last.end();
  }

  /** Appends queued content to the output. */
  void takeContent(Output output, int length) {
    queuedBytes -= length;
    int left = length;
    while (first != null && first.isContent()) {
      int count = Math.min(left, first.length());
      first.take(output, count);
      left -= count;
      if (first.length() > 0) {
        return;
      }
      keep(-first.keptBytes());
      first = first.next;
    }
  }

  /**
   * Tells the listener when a turn has brought the queue below the mark, or emptied it.
   *
   * @param before content queued before the turn, in bytes
   */
  void drainedFrom(int before) {
    int mark = connection.limits().streamQueueMarkBytes();
    boolean fell = (before >= mark && queuedBytes < mark) || (before > 0 && queuedBytes == 0);
    if (fell && !ending && listener != null) {
      listener.onWritable();
    }
  }
}
