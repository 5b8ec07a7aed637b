package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;
import java.util.Arrays;

/**
 * A unary call whose request content is the message, and whose response content is the message or
 * an error, told by the HTTP status. So nothing of the response leaves before the end of the call
 * is known. Loop-confined, but for {@link #encode}.
 */
abstract class BodyCall<Q, R> extends ServerCall<Q, R> {

  /** The first step of an assembly; content longer than this earns its room by arriving. */
  private static final int FIRST_STEP_BYTES = 16 * 1024;

  /** Trailing metadata goes into the header section under this prefix. */
  private static final String TRAILER_PREFIX = "trailer-";

  private byte[] body;
  private int bodyBytes;
  private byte[] reply;
  private boolean repliedTwice;

  // Handler; the loop reads it once it has the encoded response.
  private boolean compressed;

  BodyCall(HttpStream stream, RequestHead<Q, R> head) {
    super(stream, head);
  }

  // ---- What a wire does in its own way.

  /** The header section of a good response. */
  abstract ResponseHead successHead(Compressor compressor);

  /** The header section of a failure. */
  abstract ResponseHead errorHead(Status.Code code);

  /** The content of a failure. */
  abstract byte[] errorBody(Status status);

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
    } else if (end) {
      onData(EMPTY, 0, 0, true);
    }
  }

  @Override
  public final void onData(byte[] bytes, int offset, int length, boolean end) {
    if (ended() || head.content() != null) {
      stream.credit(length);
      return;
    }
    boolean whole = end && body == null;
    int limit = head.bound().limits().maxRequestBytes();
    if (length > limit - bodyBytes || head.headers().contentLength() > limit) {
      end(Status.RESOURCE_EXHAUSTED.withMessage("a message is over the limit of " + limit));
    } else if (whole) {
      bodyArrived(bytes, offset, length);
    } else {
      keep(bytes, offset, length);
      if (end) {
        bodyArrived(body, 0, bodyBytes);
        body = null;
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
    } else if (needed > body.length) {
      int limit = head.bound().limits().maxRequestBytes();
      body = Arrays.copyOf(body, (int) Math.min(limit, needed * 2L));
    }
    System.arraycopy(bytes, offset, body, bodyBytes, length);
    bodyBytes = needed;
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

  // ---- Response.

  @Override
  final void writeHead(Headers extra) {
    // with the end: only then the status is known
  }

  @Override
  final int writeMessage(R message, int size) {
    byte[] encoded = encode(message, size);
    writeEncoded(encoded);
    return encoded.length;
  }

  @Override
  final byte[] encode(R message, int size) {
    byte[] plain = head.coding().responseCodec().toBytes(message);
    if (size == Codec.UNKNOWN_SIZE) {
      checkLimit(plain.length);
    }
    Compressor compressor = head.coding().responseCompressor();
    compressed = compressing() && compressor != null && plain.length > 0;
    return compressed ? compressor.compress(plain, 0, plain.length) : plain;
  }

  @Override
  final void writeEncoded(byte[] encoded) {
    repliedTwice = reply != null;
    reply = encoded;
  }

  @Override
  final Status writeEnd(Status status, boolean headSent, Metadata headers, Metadata trailers) {
    Status told = status;
    if (status.isOk() && (reply == null || repliedTwice)) {
      LOG.log(System.Logger.Level.WARNING, "handler of " + method() + " sent not one response");
      told = Status.INTERNAL.withMessage("the handler sent not exactly one response");
    }
    if (told.isOk()) {
      sent(reply.length);
      Compressor compressor = compressed ? head.coding().responseCompressor() : null;
      writeWhole(successHead(compressor), reply, headers, trailers);
    } else {
      writeWhole(errorHead(told.code()), errorBody(told), headers, trailers);
    }
    return told;
  }

  private void writeWhole(
      ResponseHead responseHead, byte[] content, Metadata headers, Metadata trailers) {
    Headers extra = extra(headers, trailers);
    if (content.length == 0) {
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
