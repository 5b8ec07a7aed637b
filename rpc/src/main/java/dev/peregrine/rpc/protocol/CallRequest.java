package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.MalformedMessageException;
import dev.peregrine.rpc.RpcException;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HttpStream;
import java.util.Arrays;

/**
 * The request message of a unary call, from its arrival until its handler is done with it, and the
 * memory it takes meanwhile. Loop-confined, except for what is marked otherwise.
 *
 * <p>A superclass rather than an object of its own: one RPC is one object here.
 */
abstract class CallRequest<Q, R> extends CallContext<Q, R> {

  /**
   * A request from here on is decoded by the thread that handles it, so that megabytes of JSON, at
   * some 30 ns a byte, do not hold up the loop's other connections. Below, one copy more would cost
   * as much as is saved.
   */
  private static final int DEFERRED_BYTES = 16 * 1024;

  /**
   * A request from here on is counted while it waits for a thread and is handled; what smaller ones
   * take is bounded by the number of calls.
   */
  private static final int COUNTED_BYTES = 1024;

  // Loop, until the handler begins; then the handler; the loop again when that is done.
  private Q request;
  private byte[] encodedRequest;
  private boolean requestCompressed;
  private int inflatedBytes;

  // Loop.
  private int waitingBytes;

  /** The limit that ended the call, if it was found below the call or where the handler runs. */
  Limit reached;

  CallRequest(HttpStream stream, RequestHead<Q, R> head) {
    super(stream, head);
  }

  /** Whether the message is there. */
  final boolean hasRequest() {
    return request != null || encodedRequest != null;
  }

  /** The message. Handler thread. */
  final Q request() {
    return request;
  }

  /**
   * Keeps the message for the handler, decoded.
   *
   * @param bytes its size on the wire
   * @return whether there is memory for it; the call is to be refused otherwise
   */
  final boolean keep(Q message, int bytes) {
    if (bytes >= COUNTED_BYTES && head.dispatch() != null && !reserve(bytes)) {
      return false;
    }
    request = message;
    return true;
  }

  /**
   * Keeps the message for the handler's thread to decode.
   *
   * @return whether there is memory for it; the call is to be refused otherwise
   */
  final boolean keepEncoded(byte[] bytes, int offset, int length, boolean compressed) {
    if (!reserve(length)) {
      return false;
    }
    encodedRequest = Arrays.copyOfRange(bytes, offset, offset + length);
    requestCompressed = compressed;
    return true;
  }

  /**
   * Whether a message of so many bytes is best left to the handler's thread, if nothing but the
   * handler looks at it. A compressed one always is: 1 KiB of deflate may be 1 MiB of JSON.
   */
  final boolean mayDefer(int bytes, boolean compressed) {
    return (compressed || bytes >= DEFERRED_BYTES)
        && head.dispatch() != null
        && head.bound().batches() == null;
  }

  private boolean reserve(int bytes) {
    if (!head.router().loop().reserveRequest(stream.transport(), bytes)) {
      reached = Limit.QUEUED_BYTES;
      return false;
    }
    waitingBytes += bytes;
    return true;
  }

  /** Does what was left to this thread. Handler thread. */
  final void decodeRequest() {
    byte[] bytes = encodedRequest;
    if (bytes == null) {
      return;
    }
    encodedRequest = null;
    try {
      byte[] plain = requestCompressed ? inflate(bytes) : bytes;
      request = head.coding().requestCodec().decode(plain, 0, plain.length);
    } catch (MalformedMessageException e) {
      throw head.protocol().malformed(e.getMessage()).exception();
    }
  }

  /** Inflates what was left to this thread, and counts what it takes more. */
  private byte[] inflate(byte[] bytes) throws MalformedMessageException {
    byte[] plain = decompress(bytes, 0, bytes.length);
    int more = plain.length - bytes.length;
    if (more >= COUNTED_BYTES) {
      if (!head.router().loop().reserve(more)) {
        reached = Limit.QUEUED_BYTES;
        throw CallRefusals.TOO_FULL.exception();
      }
      inflatedBytes = more;
    }
    return plain;
  }

  /** Inflates a message within the limit. Loop or handler thread. */
  final byte[] decompress(byte[] bytes, int offset, int length) throws MalformedMessageException {
    try {
      return head.coding()
          .requestCompressor()
          .decompress(bytes, offset, length, head.bound().limits().maxRequestBytes());
    } catch (RpcException e) {
      if (e.status().code() == Status.Code.RESOURCE_EXHAUSTED) {
        reached = Limit.REQUEST_BYTES;
      }
      throw e;
    }
  }

  /** The handler is done with the message, or will not run. */
  final void forgetRequest() {
    request = null;
    encodedRequest = null;
    if (inflatedBytes != 0) {
      head.router().loop().release(inflatedBytes);
      inflatedBytes = 0;
    }
    if (waitingBytes != 0) {
      head.router().loop().releaseRequest(stream.transport(), waitingBytes);
      waitingBytes = 0;
    }
  }

  /**
   * The call is cancelled and its handler told so. A handler that has not begun will not, so what
   * waits for it need not wait until its thread comes to find that out; one that runs keeps what it
   * has.
   */
  final void forgetRequestUnlessRunning() {
    if (!hasEntered() && head.bound().batches() == null) {
      forgetRequest();
    }
  }
}
