package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;

/**
 * A call by gRPC over HTTP/2 (PROTOCOL-HTTP2): the status is in trailers. Loop-confined, but for
 * {@link #encode}.
 */
final class GrpcCall<Q, R> extends EnvelopedCall<Q, R> {

  GrpcCall(HttpStream stream, RequestHead<Q, R> head) {
    super(stream, head);
  }

  @Override
  Status writeEnd(Status status, boolean headSent, Metadata headers, Metadata trailers) {
    int room = stream.peerMaxHeaderListBytes() - GrpcStatusFields.FIXED_TRAILERS_BYTES;
    boolean open = headSent || writeEarlyHead(headers, room);
    Status.Code code = status.code();
    Headers extra = GrpcStatusFields.of(status, trailers, room);
    if (open) {
      stream.trailers(GrpcHeads.trailers(code), extra);
    } else {
      stream.head(((GrpcProtocol) head.protocol()).heads().trailersOnly(code), extra, true);
    }
    return status;
  }
}
