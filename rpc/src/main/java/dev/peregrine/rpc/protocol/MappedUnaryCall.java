package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;

/** A plain HTTP request that means a call with one response. Loop-confined. */
final class MappedUnaryCall<Q, R> extends BodyCall<Q, R> {

  private final MappedRequests requests;

  MappedUnaryCall(HttpStream stream, RequestHead<Q, R> head, MappedRequests requests) {
    super(stream, head);
    this.requests = requests;
  }

  @Override
  ResponseHead successHead(Compressor compressor) {
    return requests.head(compressor);
  }

  @Override
  ResponseHead errorHead(Status.Code code) {
    return BodyHeads.jsonError(code);
  }

  @Override
  byte[] errorBody(Status status) {
    return requests.failure(status);
  }
}
