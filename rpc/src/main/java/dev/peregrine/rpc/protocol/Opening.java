package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.StreamListener;

/**
 * What a header section means, worked out once and kept with it ({@code Headers.attachment}): how
 * to open every request that begins with it. Loop-confined.
 */
interface Opening {

  /**
   * Opens a request.
   *
   * @param end whether the request has no content
   * @return what hears the rest of the request
   */
  StreamListener open(HttpStream stream, boolean end);

  /** This, if it is the answer to a request that cannot become a call; else {@code null}. */
  default Refusal refusal() {
    return null;
  }

  /** The method which a refused request meant, if that is known but not by its path. */
  default BoundMethod<?, ?> refusedMethod() {
    return null;
  }
}
