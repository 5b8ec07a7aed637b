package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HttpStream;

/**
 * A stream by Connect: the status is always 200, and the last envelope tells how it ended.
 * Loop-confined, but for {@link #encode}.
 */
final class ConnectStreamCall<Q, R> extends EnvelopedCall<Q, R> {

  /** The flag of the last envelope. */
  private static final int END_OF_STREAM_FLAG = 2;

  /** The usual end. Never written to. */
  private static final byte[] OK = lastEnvelope(Status.OK, null);

  ConnectStreamCall(HttpStream stream, RequestHead<Q, R> head) {
    super(stream, head);
  }

  @Override
  Status writeEnd(Status status, boolean headSent, Metadata headers, Metadata trailers) {
    if (!headSent) {
      writeHead(headers == null ? null : headers.fields());
    }
    byte[] last = status.isOk() && trailers == null ? OK : lastEnvelope(status, trailers);
    stream.data(last, 0, last.length, true);
    return status;
  }

  /** What ends a stream. */
  static byte[] lastEnvelope(Status status, Metadata trailers) {
    byte[] json = ConnectError.endOfStream(status, trailers);
    byte[] envelope = new byte[EnvelopeReader.PREFIX_BYTES + json.length];
    writePrefix(END_OF_STREAM_FLAG, json.length, envelope, 0);
    System.arraycopy(json, 0, envelope, EnvelopeReader.PREFIX_BYTES, json.length);
    return envelope;
  }
}
