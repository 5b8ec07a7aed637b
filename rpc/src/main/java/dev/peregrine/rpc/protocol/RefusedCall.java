package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.StreamListener;

/**
 * The refusal of a request whose path is not that of the method it means. Loop-confined.
 *
 * @param refusedMethod the method
 */
record RefusedCall(Refusal refusal, BoundMethod<?, ?> refusedMethod) implements Opening {

  @Override
  public StreamListener open(HttpStream stream, boolean end) {
    return refusal.open(stream, end);
  }
}
