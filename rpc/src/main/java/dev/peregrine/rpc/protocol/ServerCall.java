package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.MalformedMessageException;
import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.RpcException;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.StreamListener;

/**
 * One RPC, whatever wire it came by: receives the request, has the handler run where its execution
 * says, sends the answer, and ends exactly once. The wires are its subclasses.
 *
 * <p>{@link #runHandler} runs on the handler thread, as does what {@link CallContext} offers;
 * everything else is loop-confined. What crosses is named below.
 */
abstract class ServerCall<Q, R> extends CallRequest<Q, R>
    implements StreamListener, Deadlines.Listener {

  /** No array is longer than this with what the wires and engines put around a message. */
  private static final int LONGEST_MESSAGE_BYTES = Integer.MAX_VALUE - 64;

  /**
   * What a message counts beyond its length while it waits: an object and its place in a queue.
   * Without this a client could send empty ones without end.
   */
  private static final int WAITING_MESSAGE_BYTES = 64;

  static final int HTTP_OK = 200;

  /**
   * An answer from here on is counted on its way from the handler to the loop, too. What smaller
   * ones take is bounded by the number of calls, and they cost no atomic operation.
   */
  private static final int RESERVED_BYTES = 16 * 1024;

  // Loop.
  private boolean started;
  private boolean ended;
  private boolean headSent;
  private boolean handlerDone;
  private Status abort;
  private Deadlines.Timer timer;
  private CallTally tally;
  private int partialBytes;
  private int streamBytes;

  // Handler; the loop reads them once the handler is done.
  private byte[] reply;
  private int reservedBytes;
  private long readyNanos;

  // Crossing.

  /** How the handler ended; {@link #reply} is written before. */
  private volatile Status outcome;

  private volatile boolean headWanted;

  private final CallStreams<Q> streams;

  ServerCall(HttpStream stream, RequestHead<Q, R> head) {
    super(stream, head);
    this.streams = head.bound().openStreams(this);
  }

  // ---- What a wire does in its own way: loop-confined, but for encode.

  /** Sends the header section. */
  abstract void writeHead(Headers extra);

  /**
   * Sends a message, encoding it in place if it can leave now.
   *
   * @return how many bytes were sent or queued
   */
  abstract int writeMessage(R message, int size);

  /** A message as the bytes that go on the wire. Handler thread. */
  abstract byte[] encode(R message, int size);

  /** Sends what {@link #encode} made. */
  abstract void writeEncoded(byte[] encoded);

  /**
   * Ends the response.
   *
   * @return what the client was told: the status, unless the response cannot be what it says
   */
  abstract Status writeEnd(Status status, boolean headSent, Metadata headers, Metadata trailers);

  /**
   * The HTTP status of the response, for observers; 0 if no response leaves.
   *
   * @param headSent whether the header section had left before the end
   * @param answered whether the client is told the end
   */
  int httpStatus(Status told, boolean headSent, boolean answered) {
    return headSent || answered ? HTTP_OK : 0;
  }

  // ---- Request: loop.

  /** Begins the call; {@code end} if the request has no content. */
  final void begin(boolean end) {
    Loop loop = head.router().loop();
    long timeoutNanos = head.timeoutNanos();
    if (timeoutNanos != Timeout.NONE) {
      long latestNanos = loop.nowNanos() + timeoutNanos;
      // A deadline beyond the clock's range is none.
      if (timeoutNanos < Long.MAX_VALUE / 2) {
        deadline(latestNanos);
        timer = loop.deadlines().add(this, latestNanos);
      }
    }
    tally = CallTally.start(head.bound().observers(), this, loop.nowNanos());
    if (head.bound().streamsRequests()) {
      start();
    }
    if (end) {
      requestEnded();
    }
  }

  /** A request message, still encoded: whole, decompressed, the slice lent. */
  final void messageArrived(byte[] bytes, int offset, int length) {
    boolean one = !head.bound().streamsRequests();
    if (one && hasRequest()) {
      end(TOO_MANY);
      return;
    }
    if (streams == null && mayDefer(length, false)) {
      refuseUnless(keepEncoded(bytes, offset, length, false));
      return;
    }
    Q message;
    try {
      message = head.coding().requestCodec().decode(bytes, offset, length);
    } catch (MalformedMessageException e) {
      end(head.protocol().malformed(e.getMessage()));
      return;
    } catch (RuntimeException e) {
      end(fault(e));
      return;
    }
    if (one) {
      refuseUnless(keep(message, length));
    } else {
      streams.onMessage(message, length + WAITING_MESSAGE_BYTES);
    }
  }

  private static final Status TOO_MANY =
      Status.UNIMPLEMENTED.withMessage("more than one request message");

  private void refuseUnless(boolean hasMemory) {
    if (!hasMemory) {
      end(CallRefusals.TOO_FULL);
    }
  }

  /** A request message, compressed: whole, not empty, the slice lent. */
  final void compressedArrived(byte[] bytes, int offset, int length) {
    if (streams != null || !mayDefer(length, true)) {
      try {
        byte[] plain = decompress(bytes, offset, length);
        messageArrived(plain, 0, plain.length);
      } catch (MalformedMessageException e) {
        end(head.protocol().malformed(e.getMessage()));
      } catch (RuntimeException e) {
        end(fault(e));
      }
    } else if (hasRequest()) {
      end(TOO_MANY);
    } else {
      refuseUnless(keepEncoded(bytes, offset, length, true));
    }
  }

  /** The request is complete. */
  final void requestEnded() {
    if (ended) {
      return;
    }
    if (head.bound().streamsRequests()) {
      streams.onRequestEnd();
    } else if (!hasRequest()) {
      end(Status.UNIMPLEMENTED.withMessage("no request message"));
    } else {
      if (streams != null) {
        started = true;
        ready();
        streams.onMessage(request(), 0);
        streams.onRequestEnd();
      }
      start();
    }
  }

  /** Request content of so many bytes was taken in. */
  final void arrived(int bytes) {
    if (streams == null) {
      // What is kept from here on is bounded by the message limit, so the window may move on.
      stream.credit(bytes);
    } else {
      streams.onArrival(bytes);
    }
  }

  @Override
  public final void onTrailers(Headers trailers) {
    onData(EMPTY, 0, 0, true);
  }

  static final byte[] EMPTY = {};

  @Override
  public final void onReset(ErrorCode code) {
    cancel(Status.CANCELLED.withMessage("the client reset the stream: " + code));
  }

  @Override
  public final void onWritable() {
    if (streams != null && !ended) {
      streams.onWritable();
    }
  }

  @Override
  public final void deadlinePassed() {
    timer = null;
    abort = Status.DEADLINE_EXCEEDED.withMessage("the deadline has passed");
    // Timers fire outside a burst; the answer is written in one.
    offer();
  }

  // ---- The handler.

  private void start() {
    started = true;
    Dispatch dispatch = head.dispatch();
    ready();
    if (streams != null) {
      streams.start();
    } else if (head.bound().batches() != null) {
      startBatch(dispatch);
    } else if (dispatch != null) {
      dispatch.add(this);
    } else {
      runInline();
    }
  }

  /** From here on the call waits for its thread. */
  private void ready() {
    if (head.dispatch() != null) {
      readyNanos = head.router().loop().nowNanos();
    }
  }

  private void startBatch(Dispatch dispatch) {
    HandlerTask run = head.bound().batches().add(this);
    if (run == null) {
      return;
    }
    if (dispatch != null) {
      dispatch.add(run);
    } else {
      head.router().atBurstEnd(run);
    }
  }

  @SuppressWarnings("unchecked") // the handler was bound to a method of these types
  private R invoke() throws Exception {
    return ((Handler.Unary<Q, R>) head.bound().handler()).handle(request(), this);
  }

  private void runInline() {
    handlerDone = true;
    try {
      R response = invoke();
      if (!ended) {
        sendNow(response);
      }
    } catch (Throwable t) {
      end(fault(t));
      return;
    }
    end(Status.OK);
  }

  /**
   * Sends a response from the loop, within a burst. What it throws was found before anything left.
   *
   * @return how many bytes were sent or queued
   */
  final int sendNow(R response) {
    int size = checkedSize(response);
    if (size == Codec.UNKNOWN_SIZE) {
      byte[] encoded = encode(response, size);
      sendHead();
      writeEncoded(encoded);
      return encoded.length;
    }
    sendHead();
    return writeMessageOrReset(response, size);
  }

  /**
   * Sends a message. Resets the stream if encoding fails: its frame is begun and cannot be taken
   * back.
   *
   * @return how many bytes were sent or queued
   */
  private int writeMessageOrReset(R response, int size) {
    try {
      return writeMessage(response, size);
    } catch (Throwable t) {
      cancel(fault(t));
      stream.reset(ErrorCode.INTERNAL_ERROR);
      return 0;
    }
  }

  /** Runs the handler and leaves its answer for the loop. Handler thread. */
  @Override
  final void runHandler() {
    if (streams != null) {
      streams.runHandler();
      return;
    }
    R response = null;
    Status result = Status.CANCELLED;
    enter();
    try {
      // Looked at after enter: an end that comes later interrupts.
      if (!isCancelled()) {
        refuseIfStale();
        decodeRequest();
        response = invoke();
        result = Status.OK;
      }
    } catch (Throwable t) {
      result = fault(t);
    }
    leave();
    finish(result, response);
  }

  /**
   * A call that waited for a thread beyond the limit is not worth its handler any more. Handler
   * thread, before the handler begins.
   */
  final void refuseIfStale() {
    long limitNanos = head.bound().limits().maxQueueWaitNanos();
    if (head.dispatch() != null
        && limitNanos != Limits.NONE_NANOS
        && System.nanoTime() - readyNanos > limitNanos) {
      reached = Limit.WAITING_CALLS;
      throw Status.UNAVAILABLE
          .withMessage("the server is too busy; the call waited too long for a thread")
          .exception();
    }
  }

  /** The handler is done: encodes its answer and leaves it for the loop. Handler thread. */
  final void finish(Status status, R response) {
    Status result = status;
    if (status.isOk()) {
      try {
        result = encodeReply(response);
      } catch (Throwable t) {
        result = fault(t);
      }
    }
    outcome = result;
    offer();
  }

  /**
   * Encodes the answer if the server has memory for it. Handlers make answers faster than the loop
   * takes them, and the calls of many clients that read nothing may all be admitted by now.
   */
  private Status encodeReply(R response) {
    int size = checkedSize(response);
    byte[] encoded = size == Codec.UNKNOWN_SIZE ? encode(response, size) : null;
    int bytes = encoded == null ? size : encoded.length;
    if (bytes >= RESERVED_BYTES) {
      if (!head.router().loop().reserve(bytes)) {
        reached = Limit.QUEUED_BYTES;
        return CallRefusals.TOO_FULL;
      }
      reservedBytes = bytes;
    }
    reply = encoded == null ? encode(response, size) : encoded;
    return Status.OK;
  }

  private void releaseReply() {
    if (reservedBytes > 0) {
      head.router().loop().release(reservedBytes);
      reservedBytes = 0;
    }
  }

  @Override
  final void rejected(Throwable reason) {
    handlerReturned();
    LOG.log(System.Logger.Level.DEBUG, "the executor refused a call", reason);
    abort = Status.UNAVAILABLE.withMessage("the server takes no more calls");
    // Calls are handed over outside a burst; the answer is written in one.
    offer();
  }

  @Override
  protected final void runOnLoop() {
    if (abort != null) {
      end(abort);
    }
    if (headWanted && !ended) {
      sendHead();
    }
    if (streams != null) {
      streams.runOnLoop();
      return;
    }
    Status result = outcome;
    if (result == null) {
      return;
    }
    handlerReturned();
    releaseReply();
    if (ended) {
      return;
    }
    if (result.isOk()) {
      sendHead();
      writeEncoded(reply);
    }
    end(result);
  }

  /** Sends the header section, if it was not sent yet. */
  final void sendHead() {
    if (!headSent) {
      headSent = true;
      writeHead(headersToSend());
    }
  }

  @Override
  public final void sendHeaders() {
    fixHeaders();
    headWanted = true;
    offer();
  }

  /** Has the loop look at this call. Any thread. */
  final void offer() {
    head.router().loop().outbox().offer(this);
  }

  /** The handler will not run any more. */
  final void handlerReturned() {
    forgetRequest();
    if (!handlerDone) {
      handlerDone = true;
      if (head.dispatch() != null) {
        head.dispatch().release();
      }
    }
  }

  /** The size of a response, if it may be sent. */
  final int checkedSize(R response) {
    if (response == null) {
      FaultLog.misuse(head.bound(), "returned null");
      throw Status.INTERNAL.withMessage("the handler returned no response").exception();
    }
    int size = head.coding().responseCodec().size(response);
    checkLimit(size);
    return size;
  }

  /** Fails a response that is over the limit. */
  final void checkLimit(int size) {
    int limit = Math.min(head.bound().limits().maxResponseBytes(), LONGEST_MESSAGE_BYTES);
    // A message of more than 2 GiB says that its size is negative.
    if (size > limit || (size < 0 && size != Codec.UNKNOWN_SIZE)) {
      throw Status.RESOURCE_EXHAUSTED
          .withMessage(
              "a response of " + (size & 0xffffffffL) + " bytes is over the limit of " + limit)
          .exception();
    }
  }

  /** The status of a handler's fault, which is logged if nobody knows it. */
  final Status fault(Throwable t) {
    if (isToLog(t)) {
      complain("handler", t);
    }
    return statusOf(t);
  }

  /** Whether a fault is news to whoever runs the server, rather than a handler's answer. */
  final boolean isToLog(Throwable t) {
    // Once cancelled, nobody waits for the answer, and most likely that is what the handler met.
    return !(t instanceof RpcException) && !isCancelled();
  }

  /** The status of a handler's fault. Texts of unknown exceptions are for the log alone. */
  final Status statusOf(Throwable t) {
    if (t instanceof RpcException e) {
      if (e.trailers() != preparedTrailers()) {
        responseTrailers().addAll(e.trailers());
      }
      return e.status();
    }
    return Status.UNKNOWN;
  }

  // ---- The end: loop.

  /** Ends the call; what comes later is dropped. */
  final void end(Status status) {
    if (ended) {
      return;
    }
    if (started && !handlerDone) {
      // The handler still runs: it is told, and what it prepared is its own.
      cancel(status, true);
      writeEnd(status, headSent, null, null);
      return;
    }
    ended = true;
    disarm();
    handlerReturned();
    if (headWanted) {
      sendHead();
    }
    tellEnd(writeEnd(status, headSent, preparedHeaders(), preparedTrailers()), true);
  }

  private void tellEnd(Status status, boolean answered) {
    head.router().release();
    releaseHeld();
    released();
    if (reached != null) {
      head.router().loop().limitReached(reached, stream.transport(), status.message());
    }
    if (tally != null) {
      tally.ended(status, httpStatus(status, headSent, answered), System.nanoTime());
    }
  }

  private void releaseHeld() {
    if ((partialBytes | streamBytes) != 0) {
      stream.transport().held(-partialBytes, -streamBytes);
      partialBytes = 0;
      streamBytes = 0;
    }
  }

  /** This call keeps so many bytes more, or fewer, of a message whose rest has not come. */
  final void hold(int bytes) {
    if (!ended) {
      partialBytes += bytes;
      stream.transport().held(bytes, 0);
    }
  }

  /** So many bytes more, or fewer, of a stream's messages wait for the handler. */
  final void holdForHandler(int bytes) {
    if (!ended) {
      streamBytes += bytes;
      stream.transport().held(0, bytes);
    }
  }

  /** The request has a message over the limit. */
  final void tooLarge(Status status) {
    head.router().loop().limitReached(Limit.REQUEST_BYTES, stream.transport(), status.message());
  }

  /** The call has ended: what a wire keeps of its request is of no use any more. */
  abstract void released();

  /** Counts a request message of so many bytes on the wire. */
  final void received(int bytes) {
    if (tally != null) {
      tally.received(bytes);
    }
  }

  /** Counts a response message of so many bytes on the wire. */
  final void sent(int bytes) {
    if (tally != null) {
      tally.sent(bytes);
    }
  }

  /** Ends the call without an answer, and tells the handler. */
  private void cancel(Status reason) {
    cancel(reason, false);
  }

  private void cancel(Status reason, boolean answered) {
    if (ended) {
      return;
    }
    ended = true;
    disarm();
    if (!started) {
      handlerReturned();
    }
    cancelContext();
    if (streams != null) {
      streams.onCancel(reason);
    } else {
      forgetRequestUnlessRunning();
    }
    // Last, so that who wakes up finds out why.
    if (head.bound().interrupts()) {
      interrupt();
    }
    tellEnd(reason, answered);
  }

  private void disarm() {
    if (timer != null) {
      head.router().loop().deadlines().remove(timer);
      timer = null;
    }
  }

  /** Whether the response is complete or will never be. */
  final boolean ended() {
    return ended;
  }
}
