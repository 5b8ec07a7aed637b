package dev.peregrine.rpc;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Binary protobuf, in place: no stream and no copy between the message and the buffer.
 *
 * @param <T> the message
 */
public final class ProtobufCodec<T extends MessageLite> implements Codec<T> {

  private final T prototype;
  private final Parser<T> parser;

  private ProtobufCodec(T prototype, Parser<T> parser) {
    this.prototype = prototype;
    this.parser = parser;
  }

  /** The codec for the type of a message, usually its default instance. */
  @SuppressWarnings("unchecked") // a generated message's parser makes messages of its own type
  public static <T extends MessageLite> ProtobufCodec<T> of(T message) {
    return new ProtobufCodec<>(
        (T) message.getDefaultInstanceForType(), (Parser<T>) message.getParserForType());
  }

  /** The type's default instance: through it, its descriptor. */
  public T prototype() {
    return prototype;
  }

  @Override
  public String name() {
    return "proto";
  }

  @Override
  public int size(T message) {
    return message.getSerializedSize();
  }

  @Override
  public void encode(T message, byte[] target, int offset) {
    try {
      message.writeTo(CodedOutputStream.newInstance(target, offset, message.getSerializedSize()));
    } catch (IOException e) {
      throw new UncheckedIOException("message changed while it was written", e);
    }
  }

  @Override
  public T decode(byte[] source, int offset, int length) throws MalformedMessageException {
    try {
      return parser.parseFrom(source, offset, length);
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedMessageException("malformed protobuf: " + e.getMessage());
    }
  }
}
