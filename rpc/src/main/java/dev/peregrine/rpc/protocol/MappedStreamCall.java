package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.HttpMapping;
import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;

/**
 * A plain HTTP request that means a call with any number of responses: each leaves as soon as the
 * client takes it. A call that fails before the first is answered by a status of HTTP's; later the
 * failure is the last item. Loop-confined, but for {@link #encode}.
 */
final class MappedStreamCall<Q, R> extends WholeRequestCall<Q, R> {

  private static final ResponseHead TRAILERS = ResponseHead.trailers(new Headers());

  private final MappedRequests requests;
  private final HttpMapping.Framing framing;
  private boolean itemSent;

  MappedStreamCall(
      HttpStream stream,
      RequestHead<Q, R> head,
      MappedRequests requests,
      HttpMapping.Framing framing) {
    super(stream, head);
    this.requests = requests;
    this.framing = framing;
  }

  @Override
  void writeHead(Headers extra) {
    stream.head(head.coding().responseHead(), extra, false);
  }

  @Override
  int writeMessage(R message, int size) {
    byte[] encoded = encode(message, size);
    writeEncoded(encoded);
    return encoded.length;
  }

  @Override
  byte[] encode(R message, int size) {
    byte[] item = head.coding().responseCodec().toBytes(message);
    checkLimit(item.length);
    return framing.next(item);
  }

  @Override
  void writeEncoded(byte[] encoded) {
    if (!itemSent) {
      itemSent = true;
      framing.asFirst(encoded);
    }
    if (!isHead()) {
      sent(encoded.length);
      stream.data(encoded, 0, encoded.length, false);
    }
  }

  @Override
  int httpStatus(Status told, boolean headSent, boolean answered) {
    return headSent || !answered || told.isOk()
        ? super.httpStatus(told, headSent, answered)
        : BodyHeads.jsonError(told.code()).status();
  }

  @Override
  Status writeEnd(Status status, boolean headSent, Metadata headers, Metadata trailers) {
    if (!headSent && !status.isOk()) {
      byte[] failure = requests.failure(status);
      writeWhole(BodyHeads.jsonError(status.code()), failure, headers, trailers);
      return status;
    }
    if (!headSent) {
      writeHead(headers == null ? null : headers.fields());
    }
    byte[] last =
        status.isOk()
            ? framing.end(!itemSent)
            : framing.failed(requests.failure(status), !itemSent);
    boolean hasTrailers = trailers != null && trailers.size() > 0;
    stream.data(last, 0, isHead() ? 0 : last.length, !hasTrailers);
    if (hasTrailers) {
      stream.trailers(TRAILERS, trailers.fields());
    }
    return status;
  }
}
