package dev.peregrine.conformance.interop;

import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.MalformedMessageException;

/**
 * Decodes messages and notes whether they were compressed. Any thread.
 *
 * @param <T> the message
 */
final class ReceivedCodec<T> implements Codec<Received<T>> {

  private final Codec<T> codec;

  ReceivedCodec(Codec<T> codec) {
    this.codec = codec;
  }

  @Override
  public String name() {
    return codec.name();
  }

  @Override
  public int size(Received<T> received) {
    return codec.size(received.message());
  }

  @Override
  public void encode(Received<T> received, byte[] target, int offset) {
    codec.encode(received.message(), target, offset);
  }

  @Override
  public Received<T> decode(byte[] source, int offset, int length)
      throws MalformedMessageException {
    return new Received<>(codec.decode(source, offset, length), WitnessGzip.made(source));
  }
}
