package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;

/** A unary call by Connect: a failure is JSON, whatever the codec. Loop-confined. */
final class ConnectUnaryCall<Q, R> extends BodyCall<Q, R> {

  ConnectUnaryCall(HttpStream stream, RequestHead<Q, R> head) {
    super(stream, head);
  }

  @Override
  ResponseHead successHead(Compressor compressor) {
    return ((ConnectUnaryProtocol) head.protocol()).heads().response(compressor);
  }

  @Override
  ResponseHead errorHead(Status.Code code) {
    return BodyHeads.jsonError(code);
  }

  @Override
  byte[] errorBody(Status status) {
    return ConnectError.error(status);
  }
}
