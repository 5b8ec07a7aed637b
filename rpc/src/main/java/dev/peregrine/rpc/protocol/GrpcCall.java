package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;
import java.util.Arrays;

/**
 * A call by gRPC over HTTP/2 (PROTOCOL-HTTP2): messages behind a 5-byte prefix, the status in
 * trailers. Loop-confined, but for {@link #encode}.
 */
final class GrpcCall<Q, R> extends ServerCall<Q, R> implements MessageSink {

  /** {@code content-type: application/grpc}, and the space a status of two digits takes. */
  private static final int FIXED_TRAILERS_BYTES = 160;

  private EnvelopeReader reader;

  GrpcCall(HttpStream stream, RequestHead<Q, R> head) {
    super(stream, head);
  }

  @Override
  public void onData(byte[] bytes, int offset, int length, boolean end) {
    if (ended()) {
      stream.credit(length);
      return;
    }
    if (reader == null && isOneMessage(bytes, offset, length)) {
      messageArrived(
          bytes, offset + EnvelopeReader.PREFIX_BYTES, length - EnvelopeReader.PREFIX_BYTES);
    } else if (length > 0) {
      readSlice(bytes, offset, length);
    }
    arrived(length);
    if (end && !ended()) {
      if (reader != null && reader.incomplete()) {
        end(Status.INTERNAL.withMessage("the request ended inside a message"));
      } else {
        requestEnded();
      }
    }
  }

  /** The usual case: a slice that is exactly one message, not compressed, not too large. */
  private boolean isOneMessage(byte[] bytes, int offset, int length) {
    int size = length - EnvelopeReader.PREFIX_BYTES;
    return size >= 0
        && bytes[offset] == 0
        && EnvelopeReader.length(bytes, offset) == size
        && size <= head.bound().limits().maxRequestBytes();
  }

  private void readSlice(byte[] bytes, int offset, int length) {
    if (reader == null) {
      reader = new EnvelopeReader(head.bound().limits().maxRequestBytes());
    }
    reader.read(bytes, offset, length, this);
  }

  @Override
  public boolean onMessage(int flags, byte[] bytes, int offset, int length) {
    if ((flags & 1) != 0) {
      end(
          Status.INTERNAL.withMessage(
              "a message is compressed, but the call has no grpc-encoding"));
    } else {
      messageArrived(bytes, offset, length);
    }
    return !ended();
  }

  @Override
  public void onBroken(Status status) {
    end(status);
  }

  @Override
  void writeHead(Headers extra) {
    stream.head(GrpcHeads.RESPONSE, extra, false);
  }

  @Override
  int writeMessage(R message, int size) {
    int length = EnvelopeReader.PREFIX_BYTES + size;
    int at = stream.claim(length);
    if (at < 0) {
      writeEncoded(encode(message, size));
      return length;
    }
    byte[] target = stream.transport().output().array();
    try {
      encode(message, size, target, at);
    } catch (Throwable t) {
      // The room still holds what some other connection sent: nobody may see it.
      Arrays.fill(target, at, at + length, (byte) 0);
      throw t;
    }
    return length;
  }

  @Override
  byte[] encode(R message, int size) {
    byte[] encoded = new byte[EnvelopeReader.PREFIX_BYTES + size];
    encode(message, size, encoded, 0);
    return encoded;
  }

  private void encode(R message, int size, byte[] target, int at) {
    target[at] = 0;
    target[at + 1] = (byte) (size >>> 24);
    target[at + 2] = (byte) (size >>> 16);
    target[at + 3] = (byte) (size >>> 8);
    target[at + 4] = (byte) size;
    Codec<R> codec = head.bound().method().responseCodec();
    codec.encode(message, target, at + EnvelopeReader.PREFIX_BYTES);
  }

  @Override
  void writeEncoded(byte[] encoded) {
    int at = stream.claim(encoded.length);
    if (at < 0) {
      stream.data(encoded, 0, encoded.length, false);
    } else {
      System.arraycopy(encoded, 0, stream.transport().output().array(), at, encoded.length);
    }
  }

  @Override
  void writeEnd(Status status, boolean headSent, Metadata headers, Metadata trailers) {
    Status.Code code = status.code();
    ResponseHead fixed = headSent ? GrpcHeads.trailers(code) : GrpcHeads.trailersOnly(code);
    Headers extra = null;
    if (!status.message().isEmpty() || trailers != null || headers != null) {
      extra = new Headers();
      int room = stream.peerMaxHeaderListBytes() - FIXED_TRAILERS_BYTES;
      addMessage(extra, status, room);
      if (!headSent) {
        addWithin(extra, headers, room);
      }
      addWithin(extra, trailers, room);
    }
    if (headSent) {
      stream.trailers(fixed, extra);
    } else {
      stream.head(fixed, extra, true);
    }
  }

  /** A text longer than the peer takes is cut: the code must arrive. */
  private static void addMessage(Headers extra, Status status, int room) {
    if (!status.message().isEmpty()) {
      String encoded = PercentEncoding.encode(status.message());
      int overhead = HeaderName.GRPC_MESSAGE.toString().length() + Headers.FIELD_OVERHEAD_BYTES;
      if (room > overhead) {
        extra.add(HeaderName.GRPC_MESSAGE, PercentEncoding.cut(encoded, room - overhead));
      }
    }
  }

  private static void addWithin(Headers extra, Metadata metadata, int room) {
    if (metadata == null) {
      return;
    }
    Headers fields = metadata.fields();
    for (int i = 0; i < fields.size(); i++) {
      int bytes =
          fields.name(i).toString().length()
              + fields.value(i).length()
              + Headers.FIELD_OVERHEAD_BYTES;
      if (extra.listBytes() + bytes <= room) {
        extra.add(fields.name(i), fields.value(i));
      }
    }
  }
}
