package dev.peregrine.wire.http1;

import dev.peregrine.wire.Connection;
import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.HttpHandler;
import dev.peregrine.wire.PeerLimit;
import dev.peregrine.wire.StreamListener;
import dev.peregrine.wire.Transport;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;

/**
 * One HTTP/1.1 connection, server side (RFC 9112). Loop-confined.
 *
 * <p>Requests are given to the handler one after another, in order. While one is being answered,
 * what the peer has sent behind it waits unread in a bounded buffer, beyond which reading stops.
 * Requests whose handlers answer at once are worked off in one loop, so that all their responses
 * leave in one write.
 */
public final class Http1Connection implements Connection {

  private static final Logger LOGGER = System.getLogger("dev.peregrine");

  /** A burst writes at the latest after this much output, so that the peer does not idle. */
  private static final int FLUSH_BYTES = 64 << 10;

  private final Transport transport;
  private final HttpHandler handler;
  private final Http1Limits limits;
  private final ResponseWriter writer;
  private final RequestParser parser;
  private final HeadCache heads = new HeadCache();
  private final ContentReader content;
  private final Http1Timers timers;

  /** The request that is read or answered, or {@code null}. */
  private Http1Exchange exchange;

  /** Input that waits, or {@code null}; between {@link #at} and {@link #end}. */
  private byte[] held;

  // What is being read: the bytes lent to receive, or those held
  private byte[] input;
  private int at;
  private int end;

  private int requests;
  private boolean running;
  private boolean stopped;
  private boolean paused;
  private boolean inputEnded;

  /**
   * A connection whose peer has not said anything yet.
   *
   * @param handler gets the requests
   * @param date for responses; {@code null} leaves it out
   * @param nowNanos the loop's monotonic clock
   */
  public Http1Connection(
      Transport transport, HttpHandler handler, Http1Limits limits, DateField date, long nowNanos) {
    this.transport = transport;
    this.handler = handler;
    this.limits = limits;
    this.writer = new ResponseWriter(transport, date);
    this.parser = new RequestParser(limits);
    this.content = new ContentReader(limits);
    this.timers = new Http1Timers(limits, nowNanos);
  }

  /** Says that this connection is a secured one, so that its requests are for {@code https}. */
  public Http1Connection overTls() {
    parser.scheme("https");
    return this;
  }

  // Connection

  @Override
  public void receive(byte[] bytes, int offset, int length, long nowNanos) {
    if (stopped) {
      return;
    }
    timers.now(nowNanos);
    if (held == null) {
      input = bytes;
      at = offset;
      end = offset + length;
    } else {
      hold(bytes, offset, length);
    }
    run();
  }

  @Override
  public void transmit() {
    if (stopped) {
      return;
    }
    if (exchange != null) {
      exchange.pump();
    } else {
      timers.idle(); // until now the peer was busy with what it got
    }
    if (!stopped) {
      run();
    }
  }

  @Override
  public long expire(long nowNanos) {
    if (stopped) {
      return Long.MAX_VALUE;
    }
    timers.now(nowNanos);
    try {
      long leftNanos = timers.check(this);
      if (timers.isOver(this)) {
        closeNow();
      }
      return stopped || leftNanos == Long.MAX_VALUE ? Long.MAX_VALUE : nowNanos + leftNanos;
    } catch (RequestError e) {
      fail(e);
      return Long.MAX_VALUE;
    }
  }

  @Override
  public void drain(long nowNanos) {
    if (stopped) {
      return;
    }
    timers.now(nowNanos);
    if (!timers.drain(limits.drainGraceNanos()) || timers.isOver(this)) {
      closeNow();
    }
  }

  @Override
  public boolean inputEnded(long nowNanos) {
    timers.now(nowNanos);
    inputEnded = true;
    // What is not whole will never be; what is whole is answered.
    return !stopped && !waitsForInput();
  }

  @Override
  public void closed() {
    if (!stopped) {
      stop(ErrorCode.CANCEL);
    }
  }

  @Override
  public int openStreams() {
    return exchange == null || exchange.isOver() ? 0 : 1;
  }

  @Override
  public long queuedBytes() {
    long waiting = held == null ? 0 : held.length;
    return exchange == null ? waiting : waiting + exchange.keptBytes();
  }

  // Input

  /** Works off the input, as far as that is possible now. */
  private void run() {
    running = true;
    try {
      while (!stopped && step()) {
        flushIfFull();
      }
    } catch (RequestError e) {
      fail(e);
    } finally {
      running = false;
    }
    if (stopped) {
      return;
    }
    keepRest();
    if (inputEnded && waitsForInput()) {
      closeNow();
      return;
    }
    boolean pause = end - at >= limits.pipelineBytes() && !waitsForInput();
    if (pause != paused) {
      paused = pause;
      transport.readable(!pause);
    }
  }

  /** One head, or some content; false when there is nothing to be done. */
  private boolean step() throws RequestError {
    if (exchange == null) {
      return at < end && transport.writable() && begin();
    }
    if (exchange.requestEnded()) {
      return false;
    }
    int before = at;
    at = content.read(input, at, end, exchange);
    if (exchange != null && exchange.isOver() && exchange.requestEnded()) {
      next(); // what nobody wanted has been read
    }
    return at > before;
  }

  /** Reads a head, and gives the request to the handler. */
  private boolean begin() throws RequestError {
    RequestHead head = readHead();
    if (head == null) {
      if (parser.hasEmptyLinesOnly()) {
        at = end;
        parser.reset();
      } else {
        timers.headBegun();
      }
      return false;
    }
    timers.requestBegun();
    requests++;
    if (requests == limits.maxRequests()) {
      transport.limitReached(
          PeerLimit.CONNECTION_REQUESTS, "it has made " + requests + " requests");
    }
    Http1Exchange begun = new Http1Exchange(this, head);
    exchange = begun;
    content.begin(head);
    StreamListener listener = handler.onRequest(begun, head.headers(), !head.hasContent());
    begun.listener(listener);
    if (awaitsContinue(begun)) {
      writer.continued();
      begun.continued();
    }
    return true;
  }

  private RequestHead readHead() throws RequestError {
    if (!parser.hasBegun()) {
      RequestHead known = heads.find(input, at, end);
      if (known != null) {
        at += heads.foundBytes();
        return known;
      }
    }
    RequestHead head = parser.read(input, at, end);
    if (head == null) {
      return null;
    }
    int length = parser.headBytes();
    parser.reset();
    // One that came in pieces may be known all the same.
    RequestHead known = heads.find(input, at, at + length);
    if (known == null) {
      heads.add(input, at, length, head);
      known = head;
    }
    at += length;
    return known;
  }

  /** Whether the peer waits for our word before it sends content (RFC 9110, 10.1.1). */
  boolean awaitsContinue(Http1Exchange of) {
    return of.request().expectsContinue()
        && !of.isContinued()
        && !of.isOver()
        && !of.headSent()
        && !of.requestEnded()
        && at == end
        && content.receivedBytes() == 0;
  }

  /** Whether it is the peer's turn: what is held then is part of a line. */
  private boolean waitsForInput() {
    return exchange == null
        ? transport.writable()
        : !exchange.requestEnded() && exchange.windowBytes() > 0;
  }

  /** Keeps what was lent and not read; lets go of what was read. */
  private void keepRest() {
    if (at == end) {
      held = null;
    } else if (held == null) {
      held = Arrays.copyOfRange(input, at, end);
      end -= at;
      at = 0;
    }
    input = held;
    if (held == null) {
      at = 0;
      end = 0;
    }
  }

  private void hold(byte[] bytes, int offset, int length) {
    int size = end - at;
    if (held.length - end < length) {
      int needed = size + length;
      byte[] target = needed > held.length ? new byte[Math.max(needed, 2 * size)] : held;
      System.arraycopy(held, at, target, 0, size);
      held = target;
      at = 0;
      end = size;
    }
    System.arraycopy(bytes, offset, held, end, length);
    end += length;
    input = held;
  }

  /** Whether the input holds another request that can be answered without more of it. */
  private boolean hasWholeRequest() {
    if (at == end) {
      return false;
    }
    try {
      RequestParser other = new RequestParser(limits);
      RequestHead head = other.read(input, at, end);
      // Chunks are not looked through: a request with them counts as not whole.
      return head != null
          && head.contentBytes() >= 0
          && head.contentBytes() <= end - at - other.headBytes();
    } catch (RequestError e) {
      return false;
    }
  }

  // What exchanges ask for

  Transport transport() {
    return transport;
  }

  Http1Limits limits() {
    return limits;
  }

  ResponseWriter writer() {
    return writer;
  }

  ContentReader content() {
    return content;
  }

  Http1Exchange exchange() {
    return exchange;
  }

  /** Whether part of a head has arrived. */
  boolean isInHead() {
    return exchange == null && parser.hasBegun();
  }

  /** Whether neither side has anything to do. */
  boolean isIdle() {
    return exchange == null && held == null && transport.writable();
  }

  /**
   * Whether the connection should end with this response: the peer cannot or should not go on.
   * Announced with its head (RFC 9112, 9.6).
   */
  boolean isLastResponse(Http1Exchange of) {
    if (requests >= limits.maxRequests()) {
      return true;
    }
    if (!of.requestEnded()) {
      // RFC 9110, 10.1.1: a peer that was not told to go on may send content or another request.
      return awaitsContinue(of) || content.mayExceed(limits.discardBytes()) || timers.isDraining();
    }
    return (inputEnded || timers.isDraining()) && !hasWholeRequest();
  }

  /** A response was written to its end. */
  void responseEnded(Http1Exchange of) {
    if (of.closing()) {
      closeNow();
    } else if (of.requestEnded()) {
      next();
    } else {
      timers.discarding();
      goOn();
    }
  }

  /** The connection is free for the next request. */
  private void next() {
    exchange = null;
    timers.idle();
    goOn();
  }

  /** Has the rest of the input worked off. */
  private void goOn() {
    if (!running && (held != null || inputEnded)) {
      transport.wake(); // not here: the handler of this request is still on the stack
    }
  }

  /** The call layer has read content. */
  void credited(Http1Exchange of) {
    if (of.windowBytes() > 0) {
      goOn();
    }
  }

  /** Lets a long burst's output go. */
  void flushIfFull() {
    if (transport.output().size() >= FLUSH_BYTES) {
      transport.flush();
    }
  }

  // Errors and the end

  /** The call layer gives a response up. What was announced and not sent tells the peer. */
  void abandon() {
    closeNow();
  }

  /** The call layer queues content without regard to the peer. */
  void overflow() {
    fail(
        RequestError.silentLimit(
            PeerLimit.UNREAD_BYTES,
            "more than " + limits.queueMaxBytes() + " bytes of a response are queued"));
  }

  /** A fault of the peer, or a limit it passed, ends the connection. */
  private void fail(RequestError e) {
    if (e.limit() != null) {
      transport.limitReached(e.limit(), e.getMessage());
    } else if (LOGGER.isLoggable(Level.DEBUG)) {
      LOGGER.log(
          Level.DEBUG,
          "closing HTTP/1.1 connection of " + transport.peer() + ": " + e.getMessage());
    }
    Http1Exchange failed = exchange;
    boolean answered = failed != null && (failed.headSent() || failed.isOver());
    transport.wentAway(code(e), e.getMessage());
    if (!e.isSilent() && !answered) {
      boolean withContent = failed == null ? !parser.isHead() : !failed.request().isHead();
      writer.error(e.status(), e.getMessage(), withContent);
    }
    stop(code(e));
    transport.close();
  }

  private static ErrorCode code(RequestError e) {
    return e.limit() != null ? ErrorCode.ENHANCE_YOUR_CALM : ErrorCode.PROTOCOL_ERROR;
  }

  private void closeNow() {
    stop(ErrorCode.CANCEL);
    transport.close();
  }

  private void stop(ErrorCode code) {
    stopped = true;
    held = null;
    input = null;
    at = 0;
    end = 0;
    content.stop();
    Http1Exchange open = exchange;
    exchange = null;
    if (open != null) {
      open.lost(code);
    }
  }
}
