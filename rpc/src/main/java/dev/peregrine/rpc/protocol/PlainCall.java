package dev.peregrine.rpc.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;

/** A unary call without a protocol: a failure is text. Loop-confined. */
final class PlainCall<Q, R> extends BodyCall<Q, R> {

  PlainCall(HttpStream stream, RequestHead<Q, R> head) {
    super(stream, head);
  }

  @Override
  ResponseHead successHead(Compressor compressor) {
    boolean own = head.coding().responseCodec() == head.bound().method().responseCodec();
    return ((PlainProtocol) head.protocol()).heads(own).response(compressor);
  }

  @Override
  ResponseHead errorHead(Status.Code code) {
    return BodyHeads.textError(code);
  }

  @Override
  byte[] errorBody(Status status) {
    return text(status);
  }

  /** A status as a line for people. */
  static byte[] text(Status status) {
    String text = status.message().isEmpty() ? status.code().name() : status.message();
    return (text + "\n").getBytes(UTF_8);
  }
}
