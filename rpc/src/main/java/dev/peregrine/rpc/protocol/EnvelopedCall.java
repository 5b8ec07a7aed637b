package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import java.util.Arrays;

/**
 * A call whose messages, both ways, stand behind a 5-byte prefix. How the response ends is its
 * subclasses' own. Loop-confined, but for {@link #encode}.
 */
abstract class EnvelopedCall<Q, R> extends ServerCall<Q, R> implements MessageSink {

  private EnvelopeReader reader;

  EnvelopedCall(HttpStream stream, RequestHead<Q, R> head) {
    super(stream, head);
  }

  @Override
  public void onData(byte[] bytes, int offset, int length, boolean end) {
    if (ended()) {
      stream.credit(length);
      return;
    }
    if (reader == null && isOneMessage(bytes, offset, length)) {
      received(length - EnvelopeReader.PREFIX_BYTES);
      messageArrived(
          bytes, offset + EnvelopeReader.PREFIX_BYTES, length - EnvelopeReader.PREFIX_BYTES);
    } else if (length > 0) {
      readSlice(bytes, offset, length);
    }
    arrived(length);
    if (end && !ended()) {
      if (reader != null && reader.incomplete()) {
        end(head.protocol().malformed("the request ended inside a message"));
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
      reader =
          new EnvelopeReader(head.bound().limits().maxRequestBytes(), head.router().spareArrays());
    }
    reader.read(bytes, offset, length, this);
  }

  @Override
  public final boolean onMessage(int flags, byte[] bytes, int offset, int length) {
    received(length);
    if ((flags & 1) == 0) {
      messageArrived(bytes, offset, length);
    } else {
      onCompressed(bytes, offset, length);
    }
    return !ended();
  }

  private void onCompressed(byte[] bytes, int offset, int length) {
    if (head.coding().requestCompressor() == null) {
      end(
          Status.INTERNAL.withMessage(
              "a message is compressed, but the call has no " + head.protocol().encodingField()));
    } else if (length == 0) {
      // No bytes at all are an empty message, not something to decompress.
      messageArrived(bytes, offset, length);
    } else {
      compressedArrived(bytes, offset, length);
    }
  }

  @Override
  public final void onHeld(int bytes) {
    hold(bytes);
  }

  @Override
  final void released() {
    reader = null;
  }

  @Override
  public final void onBroken(Status status) {
    if (status.code() == Status.Code.RESOURCE_EXHAUSTED) {
      tooLarge(status);
    }
    end(status);
  }

  @Override
  final void writeHead(Headers extra) {
    stream.head(head.coding().responseHead(), extra, false);
  }

  @Override
  int writeMessage(R message, int size) {
    int length = EnvelopeReader.PREFIX_BYTES + size;
    int at = compresses(size) ? -1 : stream.claim(length);
    if (at < 0) {
      byte[] encoded = encode(message, size);
      writeEncoded(encoded);
      return encoded.length;
    }
    sent(size);
    byte[] target = stream.transport().output().array();
    try {
      encode(message, size, target, at);
    } catch (Throwable t) {
      // The room still holds what some other connection sent: nobody may see it. Nor may anybody
      // take it for a message, of which no flag but the lowest is known.
      Arrays.fill(target, at, at + length, (byte) 0xff);
      throw t;
    }
    return length;
  }

  @Override
  byte[] encode(R message, int size) {
    if (size == Codec.UNKNOWN_SIZE) {
      byte[] payload = head.coding().responseCodec().toBytes(message);
      checkLimit(payload.length);
      return envelope(payload, 0);
    }
    byte[] encoded = new byte[EnvelopeReader.PREFIX_BYTES + size];
    encode(message, size, encoded, 0);
    return compresses(size) ? envelope(encoded, EnvelopeReader.PREFIX_BYTES) : encoded;
  }

  /** Whether a message is to be compressed; an empty one gains nothing. */
  private boolean compresses(int size) {
    return compressing() && size > 0 && head.coding().responseCompressor() != null;
  }

  /** What begins at an offset of an array, compressed if wanted, behind its prefix. */
  private byte[] envelope(byte[] plain, int offset) {
    int length = plain.length - offset;
    boolean packs = compresses(length);
    byte[] payload =
        packs ? head.coding().responseCompressor().compress(plain, offset, length) : plain;
    byte[] encoded = new byte[EnvelopeReader.PREFIX_BYTES + payload.length];
    writePrefix(packs ? 1 : 0, payload.length, encoded, 0);
    System.arraycopy(payload, 0, encoded, EnvelopeReader.PREFIX_BYTES, payload.length);
    return encoded;
  }

  private void encode(R message, int size, byte[] target, int at) {
    writePrefix(0, size, target, at);
    head.coding().responseCodec().encode(message, target, at + EnvelopeReader.PREFIX_BYTES);
  }

  static void writePrefix(int flags, int length, byte[] target, int at) {
    target[at] = (byte) flags;
    target[at + 1] = (byte) (length >>> 24);
    target[at + 2] = (byte) (length >>> 16);
    target[at + 3] = (byte) (length >>> 8);
    target[at + 4] = (byte) length;
  }

  @Override
  void writeEncoded(byte[] encoded) {
    sent(encoded.length - EnvelopeReader.PREFIX_BYTES);
    write(encoded);
  }

  /** Sends bytes, which are given away. */
  final void write(byte[] encoded) {
    int at = stream.claim(encoded.length);
    if (at < 0) {
      stream.data(encoded, 0, encoded.length, false);
    } else {
      System.arraycopy(encoded, 0, stream.transport().output().array(), at, encoded.length);
    }
  }

  /**
   * The header section of a response without a message, if the handler gave it fields: clients take
   * every field of a trailers-only answer for a trailer.
   *
   * @return whether there was something to send
   */
  final boolean writeEarlyHead(Metadata headers, int room) {
    if (headers == null || headers.size() == 0) {
      return false;
    }
    Headers extra = new Headers();
    GrpcStatusFields.addWithin(extra, headers, room);
    if (extra.size() > 0) {
      writeHead(extra);
    }
    return extra.size() > 0;
  }
}
