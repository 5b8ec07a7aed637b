package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Status;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.StreamListener;

/**
 * The header section of a good request, understood: shared by all calls that begin with it.
 * Loop-confined.
 *
 * @param timeoutNanos the time the call may take, ≥ 0, or {@link Timeout#NONE}
 * @param dispatch the loop's way to the method's execution; {@code null} for inline
 */
record RequestHead<Q, R>(
    Protocol protocol,
    BoundMethod<Q, R> bound,
    Headers headers,
    MessageCoding<Q, R> coding,
    long timeoutNanos,
    Router router,
    Dispatch dispatch)
    implements Opening {

  private static final Refusal TOO_BUSY =
      Refusal.trailersOnly(
          Status.RESOURCE_EXHAUSTED.withMessage("too many calls are waiting; try again later"));

  private static final Refusal TOO_MANY =
      Refusal.trailersOnly(
          Status.RESOURCE_EXHAUSTED.withMessage("the server has too many calls; try again later"));

  private static final Refusal TOO_LATE =
      Refusal.trailersOnly(
          Status.DEADLINE_EXCEEDED.withMessage("the deadline had passed when the call arrived"));

  @Override
  public StreamListener open(HttpStream stream, boolean end) {
    if (timeoutNanos == 0) {
      return refuse(TOO_LATE, stream, end);
    }
    if (!router.admit()) {
      return refuse(TOO_MANY, stream, end);
    }
    if (dispatch != null && !dispatch.admit()) {
      router.release();
      return refuse(TOO_BUSY, stream, end);
    }
    return protocol.open(stream, this, end);
  }

  private StreamListener refuse(Refusal refusal, HttpStream stream, boolean end) {
    CallTally.refused(bound.observers(), bound.method().fullName(), true, refusal.status());
    return refusal.open(stream, end);
  }
}
