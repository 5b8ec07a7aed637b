package dev.peregrine.rpc.protocol;

import com.google.protobuf.ByteString;
import dev.peregrine.rpc.Limit;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.StreamListener;

/**
 * The header section of a good request, understood: shared by all calls that begin with it.
 * Loop-confined.
 *
 * @param timeoutNanos the time the call may take, ≥ 0, or {@link Timeout#NONE}
 * @param content the request message, if the header section holds it; else {@code null}
 * @param dispatch the loop's way to the method's execution; {@code null} for inline
 */
record RequestHead<Q, R>(
    Protocol protocol,
    BoundMethod<Q, R> bound,
    Headers headers,
    MessageCoding<Q, R> coding,
    long timeoutNanos,
    ByteString content,
    Router router,
    Dispatch dispatch)
    implements Opening {

  @Override
  public StreamListener open(HttpStream stream, boolean end) {
    if (timeoutNanos == 0) {
      return refuse(protocol.refusals().tooLate(), stream, end);
    }
    if (!router.admit()) {
      router.loop().limitReached(Limit.OPEN_CALLS, stream.transport(), "too many calls are open");
      return refuse(protocol.refusals().tooMany(), stream, end);
    }
    if (!router.loop().admits(stream.transport())) {
      router.release();
      return refuse(protocol.refusals().tooFull(), stream, end);
    }
    if (dispatch != null && !dispatch.admit()) {
      router.release();
      router
          .loop()
          .limitReached(Limit.WAITING_CALLS, stream.transport(), "too many calls are waiting");
      return refuse(protocol.refusals().tooBusy(), stream, end);
    }
    return protocol.open(stream, this, end);
  }

  private StreamListener refuse(Refusal refusal, HttpStream stream, boolean end) {
    CallTally.refused(
        bound.observers(),
        bound.method().fullName(),
        true,
        protocol.name(),
        refusal,
        new StreamRequest(stream, headers));
    return refusal.open(stream, end);
  }
}
