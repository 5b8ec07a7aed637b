package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.StreamListener;

/**
 * Opens requests that come from pages of other origins. Loop-confined.
 *
 * @param fields what every answer carries beside its own
 */
record CorsOpening(Opening opening, Headers fields) implements Opening {

  @Override
  public StreamListener open(HttpStream stream, boolean end) {
    return opening.open(new CorsStream(stream, fields), end);
  }

  @Override
  public Refusal refusal() {
    return opening.refusal();
  }

  @Override
  public BoundMethod<?, ?> refusedMethod() {
    return opening.refusedMethod();
  }
}
