package dev.peregrine.conformance.connect;

import com.google.protobuf.Any;
import connectrpc.conformance.v1.Service.ConformancePayload;
import connectrpc.conformance.v1.Service.ConformancePayload.RequestInfo;
import connectrpc.conformance.v1.Service.UnaryResponseDefinition;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Status;
import java.util.List;

/**
 * What a response definition makes of a call with one response.
 *
 * @param status OK, or how the call fails; then there is no payload
 * @param delayMillis how long to wait before either, ≥ 0
 */
record UnaryAnswer(ConformancePayload payload, Status status, long delayMillis) {

  /** Sets headers and trailers, and works out the rest. */
  static UnaryAnswer of(UnaryResponseDefinition definition, List<Any> requests, Context context) {
    context.compressResponses(true);
    RequestEcho.addAll(definition.getResponseHeadersList(), context.responseHeaders());
    RequestEcho.addAll(definition.getResponseTrailersList(), context.responseTrailers());
    RequestInfo info = RequestEcho.of(context, requests);
    long delayMillis = Integer.toUnsignedLong(definition.getResponseDelayMs());
    if (definition.hasError()) {
      return new UnaryAnswer(null, RequestEcho.failure(definition.getError(), info), delayMillis);
    }
    ConformancePayload payload =
        ConformancePayload.newBuilder()
            .setData(definition.getResponseData())
            .setRequestInfo(info)
            .build();
    return new UnaryAnswer(payload, Status.OK, delayMillis);
  }
}
