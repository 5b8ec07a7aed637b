package dev.peregrine.conformance.connect;

import com.google.protobuf.Any;
import connectrpc.conformance.v1.Service.ConformancePayload;
import connectrpc.conformance.v1.Service.ConformancePayload.RequestInfo;
import connectrpc.conformance.v1.Service.StreamResponseDefinition;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Status;
import java.util.List;

/** What a response definition makes of a call with many responses, one by one. One thread. */
final class StreamAnswer {

  private final StreamResponseDefinition definition;
  private final Context context;
  private int made;

  /** Sets headers and trailers. */
  StreamAnswer(StreamResponseDefinition definition, Context context) {
    this.definition = definition;
    this.context = context;
    context.compressResponses(true);
    RequestEcho.addAll(definition.getResponseHeadersList(), context.responseHeaders());
    RequestEcho.addAll(definition.getResponseTrailersList(), context.responseTrailers());
  }

  /** Whether there is another response. */
  boolean hasNext() {
    return made < definition.getResponseDataCount();
  }

  /** How long to wait before each response, ≥ 0. */
  long delayMillis() {
    return Integer.toUnsignedLong(definition.getResponseDelayMs());
  }

  /**
   * The next response. The first tells everything back; a later one only the messages, if any.
   *
   * @param requests those that were received since the last response
   */
  ConformancePayload next(List<Any> requests) {
    ConformancePayload.Builder payload =
        ConformancePayload.newBuilder().setData(definition.getResponseData(made));
    if (made == 0) {
      payload.setRequestInfo(RequestEcho.of(context, requests));
    } else if (!requests.isEmpty()) {
      payload.setRequestInfo(RequestInfo.newBuilder().addAllRequests(requests));
    }
    made++;
    return payload.build();
  }

  /**
   * How the call ends. A failure tells the request back if no response did.
   *
   * @param requests those that were received since the last response
   */
  Status end(List<Any> requests) {
    if (!definition.hasError()) {
      return Status.OK;
    }
    return made == 0
        ? RequestEcho.failure(definition.getError(), RequestEcho.of(context, requests))
        : RequestEcho.failure(definition.getError());
  }
}
