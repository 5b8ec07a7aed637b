package dev.peregrine.wire.http2;

import dev.peregrine.wire.Connection;
import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpHandler;
import dev.peregrine.wire.PeerLimit;
import dev.peregrine.wire.Transport;
import dev.peregrine.wire.hpack.HpackDecoder;
import dev.peregrine.wire.hpack.HpackException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;

/**
 * One HTTP/2 connection, server side (RFC 9113). Loop-confined.
 *
 * <p>{@link FrameReader} cuts the input into frames and calls the {@code on…} methods here, which
 * decide what a frame means and hand it to its {@link Http2Stream}. Output goes through {@link
 * FrameWriter} at once where windows and socket allow, else through {@link SendQueue}. Faults of
 * the peer are exceptions that become frames in {@link #receive} and nowhere else.
 */
public final class Http2Connection implements Connection {

  private static final Logger LOGGER = System.getLogger("dev.peregrine");

  /** A burst writes at the latest after this much output, so that the peer does not idle. */
  private static final int FLUSH_BYTES = 64 << 10;

  private final Transport transport;
  private final HttpHandler handler;
  private final Http2Limits limits;
  private final Settings peer = new Settings();
  private final FrameReader reader;
  private final FrameWriter writer;
  private final HpackDecoder decoder;
  private final StreamTable streams = new StreamTable();
  private final SendQueue sendQueue;
  private final ReceiveWindow receiveWindow;
  private final FloodGuard guard;
  private final ConnectionLife life;
  private final ReadingPause pause;
  private final UnreadContent unread;

  private long nowNanos;
  private long openingSinceNanos;
  private int requests;
  private boolean started;
  private boolean stopped;
  private boolean settingsAcked;

  /** The field block under way, or {@code null}. */
  private FieldBlock block;

  /** Who gets the content of the current DATA frame; {@code null} when nobody wants it. */
  private Http2Stream receiver;

  /** Not {@code null} once a drain has begun. */
  private Drain drain;

  private boolean drainRequested;

  /**
   * A connection whose peer has not said anything yet.
   *
   * @param handler gets the requests
   * @param nowNanos the loop's monotonic clock
   */
  public Http2Connection(
      Transport transport, HttpHandler handler, Http2Limits limits, long nowNanos) {
    this.transport = transport;
    this.handler = handler;
    this.limits = limits;
    this.openingSinceNanos = nowNanos;
    this.nowNanos = nowNanos;
    FrameLog log = FrameLog.of(transport);
    this.reader = new FrameReader(this, log, limits.maxFrameBytes());
    this.writer = new FrameWriter(transport, peer, log);
    this.decoder =
        new HpackDecoder(
            limits.headerTableBytes(), limits.headerListSoftBytes(), limits.headerListHardBytes());
    this.sendQueue = new SendQueue(this, transport, writer, peer);
    this.receiveWindow = new ReceiveWindow(limits.connectionWindowBytes());
    this.guard = new FloodGuard(limits.floods(), nowNanos);
    this.life = new ConnectionLife(limits.life(), nowNanos);
    this.pause = new ReadingPause(transport, limits);
    this.unread = new UnreadContent(sendQueue, transport, limits.unreadNanos());
  }

  // Connection

  @Override
  public void receive(byte[] bytes, int offset, int length, long now) {
    if (stopped) {
      return;
    }
    nowNanos = now;
    life.received(now);
    start();
    int at = offset;
    int end = offset + length;
    try {
      while (at < end && !stopped) {
        try {
          reader.read(bytes, at, end);
          at = end;
        } catch (StreamError e) {
          at = reader.position();
          reset(e);
        }
      }
      if (!stopped) {
        sendQueue.pump();
        pause.check(nowNanos);
      }
    } catch (ConnectionError e) {
      fail(e);
    }
  }

  @Override
  public void transmit() {
    if (stopped) {
      return;
    }
    start();
    pause.endIfSent();
    sendQueue.pump();
  }

  @Override
  public long expire(long now) {
    nowNanos = now;
    if (stopped) {
      return Long.MAX_VALUE;
    }
    long leftNanos = Long.MAX_VALUE;
    try {
      leftNanos = Math.min(openingLeftNanos(), pause.leftNanos(now));
      leftNanos = Math.min(leftNanos, unread.leftNanos(now));
      if (reader.opened()) {
        leftNanos = Math.min(leftNanos, life.keepalive(writer, now));
        drainIfDue();
      }
    } catch (ConnectionError e) {
      fail(e);
    }
    if (!stopped && drain != null) {
      leftNanos = Math.min(leftNanos, drainLeftNanos());
    } else if (reader.opened()) {
      leftNanos = Math.min(leftNanos, life.drainLeftNanos(streams.size(), now));
    }
    return stopped || leftNanos == Long.MAX_VALUE ? Long.MAX_VALUE : now + leftNanos;
  }

  @Override
  public void drain(long now) {
    nowNanos = now;
    if (stopped) {
      return;
    }
    if (drainRequested || !reader.opened()) {
      closeNow();
      return;
    }
    drainRequested = true;
    // One that age or idleness began goes on: it is what is asked for.
    if (drain == null) {
      drain = new Drain(writer, limits, Drain.REQUESTED, limits.drainGraceNanos(), now);
    }
  }

  /** Age and idleness end a connection in good order, too (gRFC A9). */
  private void drainIfDue() {
    String reason = drain == null ? life.drainReason(streams.size(), nowNanos) : null;
    if (reason != null) {
      drain = new Drain(writer, limits, reason, limits.life().ageGraceNanos(), nowNanos);
    }
  }

  @Override
  public void closed() {
    if (!stopped) {
      stop(ErrorCode.CANCEL);
    }
  }

  @Override
  public int openStreams() {
    return streams.size();
  }

  @Override
  public long queuedBytes() {
    if (stopped) {
      return 0;
    }
    long inputBytes = reader.keptBytes();
    return sendQueue.keptBytes() + (block == null ? inputBytes : inputBytes + block.bytes().length);
  }

  /** RFC 9113, 3.4: SETTINGS is the first frame we send. */
  private void start() {
    if (!started) {
      started = true;
      openingSinceNanos = nowNanos; // the peer has as long again for its acknowledgement
      writer.opening(limits);
    }
  }

  // Frames, called by FrameReader

  /** Whether nothing more is to be read. */
  boolean stopped() {
    return stopped;
  }

  /**
   * A DATA frame begins. {@link #onContent} follows unless this throws.
   *
   * @param frameBytes the payload with padding, which is what flow control counts
   */
  void onData(int streamId, int frameBytes, int contentBytes, boolean end)
      throws StreamError, ConnectionError {
    receiver = null;
    receiveWindow.received(frameBytes);
    if (contentBytes == 0 && !end) {
      guard.emptyData(nowNanos);
    }
    Http2Stream stream = streams.get(streamId);
    if (stream == null) {
      // Ignored or an error; in either case nobody will read it, so it is credited at once.
      streams.closedState(streamId).recvData(streamId, end);
    } else {
      stream.onData(frameBytes, contentBytes, end);
      receiver = stream;
      if (contentBytes >= FloodGuard.MIN_WORK_BYTES) {
        guard.worked();
      }
    }
    grantWindow();
  }

  /**
   * Content of the current DATA frame, as it arrives.
   *
   * @param last whether it completes the frame
   */
  void onContent(byte[] bytes, int offset, int length, boolean last) {
    if (receiver != null) {
      receiver.onContent(bytes, offset, length, last);
      flushIfFull();
    }
  }

  /** The first frame of a field block that goes on. */
  void onFieldBlockStart(
      int streamId, int parent, boolean endStream, byte[] bytes, int offset, int length)
      throws ConnectionError {
    block = new FieldBlock(streamId, parent, endStream, nowNanos);
    block.add(bytes, offset, length, limits);
  }

  /** A CONTINUATION frame. */
  void onFieldBlockPart(byte[] bytes, int offset, int length, boolean endHeaders)
      throws StreamError, ConnectionError {
    block.countContinuation(limits);
    block.add(bytes, offset, length, limits);
    if (endHeaders) {
      FieldBlock whole = block;
      block = null;
      onFieldBlock(
          whole.streamId(), whole.parent(), whole.endStream(), whole.bytes(), 0, whole.size());
    }
  }

  /**
   * A whole field block: a request, or its trailer section.
   *
   * @param parent the stream this one depends on by its priority field, or 0
   */
  void onFieldBlock(
      int streamId, int parent, boolean endStream, byte[] bytes, int offset, int length)
      throws StreamError, ConnectionError {
    // Decoded before anything is judged, so that both tables stay in step (RFC 9113, 4.3).
    Headers headers = decode(bytes, offset, length);
    Http2Stream stream = streams.get(streamId);
    if (stream != null) {
      stream.onTrailers(headers, endStream);
    } else if (streamId > streams.lastStreamId() && (streamId & 1) == 1) {
      open(streamId, parent, headers, endStream);
    } else if (streams.wasOpen(streamId)) {
      streams.closedState(streamId).recvHeaders(streamId, endStream);
      guard.ignoredFrame(nowNanos);
    } else {
      // RFC 9113, 5.1.1: clients use odd identifiers, each higher than the last.
      throw ConnectionError.protocol("HEADERS on stream " + streamId + " cannot open it");
    }
    flushIfFull();
  }

  private Headers decode(byte[] bytes, int offset, int length) throws ConnectionError {
    Headers headers;
    try {
      headers = decoder.decode(bytes, offset, length);
    } catch (HpackException e) {
      throw new ConnectionError(ErrorCode.COMPRESSION_ERROR, e.getMessage());
    }
    if (decoder.truncated()) {
      headers.setTruncated();
    }
    return headers;
  }

  private void open(int streamId, int parent, Headers headers, boolean endStream)
      throws StreamError, ConnectionError {
    streams.opened(streamId);
    if (drain != null && drain.isLast()) {
      throw new StreamError(streamId, ErrorCode.REFUSED_STREAM, "connection is draining");
    }
    if (streams.size() >= limits.maxConcurrentStreams()) {
      transport.limitReached(
          PeerLimit.CONCURRENT_STREAMS, "there are " + streams.size() + " calls already");
      throw new StreamError(streamId, ErrorCode.REFUSED_STREAM, "too many streams");
    }
    if (sendQueue.queuedBytes() > limits.connectionQueueMarkBytes()) {
      transport.limitReached(PeerLimit.UNREAD_BYTES, "too many replies are unread");
      throw new StreamError(streamId, ErrorCode.REFUSED_STREAM, "too many unread replies");
    }
    if (parent == streamId) {
      // RFC 7540, 5.3.1. RFC 9113 dropped priorities, yet no honest client sends this.
      throw new StreamError(streamId, ErrorCode.PROTOCOL_ERROR, "stream depends on itself");
    }
    HeaderRules.checkRequest(streamId, headers);
    Http2Stream stream =
        new Http2Stream(
            this,
            streamId,
            headers.contentLength(),
            streamWindowBytes(),
            peer.initialWindowBytes());
    stream.onHeaders(endStream);
    streams.add(stream);
    stream.listener(handler.onRequest(stream, headers, endStream));
    if (++requests == limits.maxRequests() && drain == null && !stopped) {
      transport.limitReached(
          PeerLimit.CONNECTION_REQUESTS, "it has made " + requests + " requests");
      drain = new Drain(writer, limits, "max_requests", LifeLimits.NONE_NANOS, nowNanos);
    }
  }

  void onPriority(int streamId, int parent) throws StreamError, ConnectionError {
    guard.ignoredFrame(nowNanos);
    if (parent == streamId) {
      throw new StreamError(streamId, ErrorCode.PROTOCOL_ERROR, "stream depends on itself");
    }
  }

  void onReset(int streamId, int code) throws ConnectionError {
    Http2Stream stream = streams.get(streamId);
    if (stream == null) {
      streams.closedState(streamId).recvReset();
      guard.ignoredFrame(nowNanos);
    } else {
      stream.onReset(ErrorCode.of(code));
      guard.reset(nowNanos);
    }
  }

  /** SETTINGS of the peer. */
  void onSettings(byte[] bytes, int offset, int length) throws ConnectionError {
    guard.settings(nowNanos);
    int tableBytes = peer.headerTableBytes();
    int windowBytes = peer.initialWindowBytes();
    peer.apply(bytes, offset, length);
    if (peer.headerTableBytes() != tableBytes || peer.smallestHeaderTableBytes() != tableBytes) {
      writer.headerTable(peer.smallestHeaderTableBytes(), peer.headerTableBytes());
    }
    writer.settingsAck();
    // RFC 9113, 6.9.2: the windows of all streams move by the difference. Once for each frame: in
    // between nothing could have been sent, and a frame may hold thousands of values.
    int delta = peer.initialWindowBytes() - windowBytes;
    if (delta != 0) {
      for (Http2Stream stream : streams.slots()) {
        if (stream != null) {
          stream.adjustSendWindow(delta);
        }
      }
    }
  }

  /** The peer has applied our SETTINGS. */
  void onSettingsAck() throws ConnectionError {
    if (settingsAcked || !started) {
      guard.ignoredFrame(nowNanos);
      return;
    }
    int before = streamWindowBytes();
    settingsAcked = true;
    int delta = streamWindowBytes() - before;
    if (delta != 0) {
      for (Http2Stream stream : streams.slots()) {
        if (stream != null) {
          stream.adjustReceiveWindow(delta);
        }
      }
    }
  }

  void onPing(long opaque, boolean ack) throws ConnectionError {
    if (!ack) {
      guard.ping(nowNanos);
      life.ping(streams.size(), nowNanos);
      // At once, ahead of queued content: it measures the round trip.
      writer.ping(opaque, true);
    } else if (drain != null && !drain.isLast() && opaque == Drain.PING) {
      announceLast();
    } else if (opaque != ConnectionLife.PING) {
      guard.ignoredFrame(nowNanos);
    }
  }

  void onWindowUpdate(int streamId, int increment) throws StreamError, ConnectionError {
    guard.windowUpdate(nowNanos);
    if (streamId == 0) {
      sendQueue.increaseWindow(increment);
      return;
    }
    Http2Stream stream = streams.get(streamId);
    if (stream == null) {
      streams.closedState(streamId).recvWindowUpdate();
    } else {
      stream.onWindowUpdate(increment);
    }
  }

  /** A frame that has no effect here: GOAWAY, or of an unknown type. */
  void onIgnoredFrame() throws ConnectionError {
    guard.ignoredFrame(nowNanos);
  }

  // Errors and the end

  /** A fault of the peer costs one stream. */
  private void reset(StreamError e) throws ConnectionError {
    int streamId = e.streamId();
    if (streams.isIdle(streamId)) {
      // RFC 9113, 6.4: RST_STREAM must not be sent for an idle stream.
      throw new ConnectionError(e.code(), e.getMessage());
    }
    Http2Stream stream = streams.get(streamId);
    if (stream != null) {
      stream.fail(e.code());
    } else {
      writer.reset(streamId, e.code());
      streams.remember(streamId, StreamState.RESET_SENT);
      grantWindow();
    }
    if (e.code() == ErrorCode.REFUSED_STREAM) {
      guard.refusedStream(nowNanos);
    } else {
      guard.provokedReset(nowNanos);
    }
  }

  /** A fault of the peer, or a limit it passed, ends the connection. */
  private void fail(ConnectionError e) {
    if (e.limit() != null) {
      transport.limitReached(e.limit(), e.getMessage());
    } else if (LOGGER.isLoggable(Level.DEBUG)) {
      LOGGER.log(
          Level.DEBUG, "closing HTTP/2 connection of " + transport.peer() + ": " + e.getMessage());
    }
    if (started) {
      writer.goAway(lastAcceptedId(), e.code(), e.getMessage());
    }
    stop(e.code());
    transport.close();
  }

  /** Ends everything without waiting for open streams. */
  private void closeNow() {
    if (started) {
      writer.goAway(lastAcceptedId(), ErrorCode.NO_ERROR, "");
    }
    stop(ErrorCode.CANCEL);
    transport.close();
  }

  private void stop(ErrorCode code) {
    stopped = true;
    receiver = null;
    block = null;
    List<Http2Stream> open = streams.clear();
    // Two rounds, since a listener may turn to other streams of its connection.
    open.forEach(Http2Stream::lost);
    open.forEach(stream -> stream.tellReset(code));
  }

  /** RFC 9113, 6.8: the identifier must not grow from one GOAWAY to the next. */
  private int lastAcceptedId() {
    boolean announced = drain != null && drain.isLast();
    return announced ? drain.lastStreamId() : streams.lastStreamId();
  }

  private void announceLast() {
    drain.announceLast(streams.lastStreamId());
    closeIfDrained();
  }

  private void closeIfDrained() {
    if (drain != null && drain.isLast() && streams.size() == 0 && !stopped) {
      stopped = true;
      transport.close();
    }
  }

  // Limits of time

  private long openingLeftNanos() throws ConnectionError {
    long leftNanos = Long.MAX_VALUE;
    if (!reader.opened() || !settingsAcked) {
      leftNanos =
          ConnectionError.left(
              openingSinceNanos + limits.openingNanos() - nowNanos,
              PeerLimit.OPENING_TIME,
              ErrorCode.SETTINGS_TIMEOUT,
              reader.opened() ? "SETTINGS not acknowledged in time" : "no preface in time");
    }
    if (block != null) {
      leftNanos =
          Math.min(
              leftNanos, headerLeftNanos(block.sinceNanos(), "header block not complete in time"));
    }
    long sinceNanos = reader.unfinishedSinceNanos();
    if (sinceNanos != Long.MAX_VALUE) {
      // Half a HEADERS frame is no field block yet, but holds as much of ours.
      leftNanos = Math.min(leftNanos, headerLeftNanos(sinceNanos, "frame not complete in time"));
    }
    return leftNanos;
  }

  private long headerLeftNanos(long sinceNanos, String reason) throws ConnectionError {
    return ConnectionError.left(
        sinceNanos + limits.headerNanos() - nowNanos,
        PeerLimit.HEADER_TIME,
        ErrorCode.ENHANCE_YOUR_CALM,
        reason);
  }

  private long drainLeftNanos() {
    long graceNanos = drain.graceLeftNanos(nowNanos);
    if (graceNanos <= 0) {
      closeNow();
      return Long.MAX_VALUE;
    }
    if (drain.isLast()) {
      return graceNanos;
    }
    long pingNanos = drain.pingLeftNanos(streams.size(), nowNanos);
    if (pingNanos <= 0) {
      announceLast();
      return graceNanos;
    }
    // The last stream may end before, which shortens the wait.
    return Math.min(Math.min(pingNanos, limits.drainIdlePingNanos()), graceNanos);
  }

  // What streams and the queue ask for

  long nowNanos() {
    return nowNanos;
  }

  Transport transport() {
    return transport;
  }

  Http2Limits limits() {
    return limits;
  }

  Settings peer() {
    return peer;
  }

  FrameWriter writer() {
    return writer;
  }

  SendQueue sendQueue() {
    return sendQueue;
  }

  ReceiveWindow receiveWindow() {
    return receiveWindow;
  }

  FloodGuard guard() {
    return guard;
  }

  /**
   * The receive window of a stream. RFC 9113, 6.9.2: until the peer has acknowledged our SETTINGS
   * it may go by the initial value.
   */
  int streamWindowBytes() {
    int bytes = limits.streamWindowBytes();
    return settingsAcked ? bytes : Math.max(bytes, FlowWindow.INITIAL_BYTES);
  }

  /** Whether a stream may queue more content. */
  boolean hasQueueRoom() {
    return sendQueue.queuedBytes() <= limits.connectionQueueMaxBytes();
  }

  /** The call layer has read content. */
  void release(int bytes) {
    receiveWindow.released(bytes);
    grantWindow();
  }

  private void grantWindow() {
    int increment = receiveWindow.takeIncrement();
    if (increment > 0) {
      writer.windowUpdate(0, increment);
    }
  }

  /** A response was sent to its end. */
  void guardCompleted() {
    guard.completed(nowNanos);
  }

  /** A stream is over, and gives back what it had not read. */
  void closed(Http2Stream stream, int unreadBytes) {
    if (stopped) {
      return;
    }
    streams.remove(stream);
    if (streams.size() == 0) {
      life.idle(nowNanos);
    }
    receiveWindow.released(unreadBytes);
    grantWindow();
    closeIfDrained();
  }

  /** HEADERS or DATA were sent. */
  void sent() {
    life.sent();
  }

  /** Lets a long burst's output go. */
  void flushIfFull() {
    if (transport.output().totalBytes() >= FLUSH_BYTES) {
      transport.flush();
    }
  }
}
