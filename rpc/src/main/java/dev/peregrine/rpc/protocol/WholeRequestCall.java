package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;
import java.util.Arrays;

/**
 * A call whose request content is the message, without any frame of its own: gathers it within the
 * limits. Loop-confined.
 */
abstract class WholeRequestCall<Q, R> extends ServerCall<Q, R> {

  /** The first step of an assembly; content longer than this earns its room by arriving. */
  private static final int FIRST_STEP_BYTES = 16 * 1024;

  /** Trailing metadata goes into the header section under this prefix. */
  private static final String TRAILER_PREFIX = "trailer-";

  private byte[] body;
  private int bodyBytes;

  WholeRequestCall(HttpStream stream, RequestHead<Q, R> head) {
    super(stream, head);
  }

  // ---- Request.

  /** Begins the call; {@code end} if the request has no content. */
  final void beginBody(boolean end) {
    begin(false);
    if (head.content() != null) {
      byte[] content = head.content().toByteArray();
      bodyArrived(content, 0, content.length);
      // What may follow as content is not a second message.
      if (!ended()) {
        requestEnded();
      }
    } else if (end || head.headers().contentLength() > head.bound().limits().maxRequestBytes()) {
      // What is too large is refused before its client is told to go on (RFC 9110, 10.1.1).
      onData(EMPTY, 0, 0, end);
    }
  }

  @Override
  public final void onData(byte[] bytes, int offset, int length, boolean end) {
    if (ended() || head.content() != null) {
      stream.credit(length);
      return;
    }
    boolean atOnce = end && body == null;
    int limit = head.bound().limits().maxRequestBytes();
    if (length > limit - bodyBytes || head.headers().contentLength() > limit) {
      Status status =
          Status.RESOURCE_EXHAUSTED.withMessage("a message is over the limit of " + limit);
      tooLarge(status);
      end(status);
    } else if (atOnce) {
      bodyArrived(bytes, offset, length);
    } else {
      keep(bytes, offset, length);
      if (end) {
        byte[] whole = body;
        hold(-whole.length);
        body = null;
        bodyArrived(whole, 0, bodyBytes);
      }
    }
    arrived(length);
    if (end && !ended()) {
      requestEnded();
    }
  }

  private void keep(byte[] bytes, int offset, int length) {
    int needed = bodyBytes + length;
    if (body == null) {
      body = new byte[Math.max(needed, firstStep())];
      hold(body.length);
    } else if (needed > body.length) {
      byte[] outgrown = body;
      body = Arrays.copyOf(outgrown, (int) Math.min(mostBytes(needed), needed * 2L));
      hold(body.length - outgrown.length);
    }
    System.arraycopy(bytes, offset, body, bodyBytes, length);
    bodyBytes = needed;
  }

  /** How long the content can become, of which so much is there: no room is made for more. */
  private long mostBytes(int needed) {
    long announced = head.headers().contentLength();
    return announced >= needed ? announced : head.bound().limits().maxRequestBytes();
  }

  private int firstStep() {
    long announced = head.headers().contentLength();
    return announced < 0 ? FIRST_STEP_BYTES : (int) Math.min(announced, FIRST_STEP_BYTES);
  }

  private void bodyArrived(byte[] bytes, int offset, int length) {
    received(length);
    if (head.coding().requestCompressor() == null || length == 0) {
      messageArrived(bytes, offset, length);
    } else {
      compressedArrived(bytes, offset, length);
    }
  }

  @Override
  final void released() {
    body = null;
  }

  /** Whether the client wants a header section alone (RFC 9110, 9.3.2). */
  final boolean isHead() {
    return "HEAD".equals(head.headers().get(HeaderName.METHOD));
  }

  /** Sends a response whose end is known, trailing metadata among its header fields. */
  final void writeWhole(
      ResponseHead responseHead, byte[] content, Metadata headers, Metadata trailers) {
    Headers extra = extra(headers, trailers);
    if (content.length == 0 || isHead()) {
      stream.head(responseHead, extra, true);
    } else {
      stream.head(responseHead, extra, false);
      stream.data(content, 0, content.length, true);
    }
  }

  private Headers extra(Metadata headers, Metadata trailers) {
    if (headers == null && trailers == null && head.content() == null) {
      return null;
    }
    Headers extra = new Headers();
    if (head.content() != null) {
      // What caches keep by GET depends on it.
      extra.add(HeaderName.VARY, "accept-encoding");
    }
    addAll(extra, "", headers);
    addAll(extra, TRAILER_PREFIX, trailers);
    return extra;
  }

  private static void addAll(Headers extra, String prefix, Metadata metadata) {
    if (metadata == null) {
      return;
    }
    Headers fields = metadata.fields();
    for (int i = 0; i < fields.size(); i++) {
      if (prefix.isEmpty()) {
        extra.add(fields.name(i), fields.value(i));
      } else {
        extra.add(prefix + fields.name(i), fields.value(i));
      }
    }
  }
}
