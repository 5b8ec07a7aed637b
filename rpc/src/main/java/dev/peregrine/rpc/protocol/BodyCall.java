package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;

/**
 * A unary call whose request content is the message, and whose response content is the message or
 * an error, told by the HTTP status. So nothing of the response leaves before the end of the call
 * is known. Loop-confined, but for {@link #encode}.
 */
abstract class BodyCall<Q, R> extends WholeRequestCall<Q, R> {

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
  final int httpStatus(Status told, boolean headSent, boolean answered) {
    if (!answered) {
      return 0;
    }
    return told.isOk() ? HTTP_OK : errorHead(told.code()).status();
  }

  @Override
  final Status writeEnd(Status status, boolean headSent, Metadata headers, Metadata trailers) {
    Status told = status;
    if (status.isOk() && (reply == null || repliedTwice)) {
      FaultLog.misuse(head.bound(), "sent not one response");
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
}
