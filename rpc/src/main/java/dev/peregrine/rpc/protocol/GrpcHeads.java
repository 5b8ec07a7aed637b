package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.ResponseHead;

/** The ready-made header and trailer sections of gRPC over HTTP/2. Any thread. */
final class GrpcHeads {

  static final String CONTENT_TYPE = "application/grpc";

  /** The header section of a response with messages. */
  static final ResponseHead RESPONSE =
      ResponseHead.of(200, new Headers().add(HeaderName.CONTENT_TYPE, CONTENT_TYPE));

  private static final ResponseHead[] TRAILERS = new ResponseHead[Status.Code.values().length];
  private static final ResponseHead[] TRAILERS_ONLY = new ResponseHead[TRAILERS.length];

  static {
    for (Status.Code code : Status.Code.values()) {
      String number = Integer.toString(code.number());
      TRAILERS[code.number()] =
          ResponseHead.trailers(new Headers().add(HeaderName.GRPC_STATUS, number));
      TRAILERS_ONLY[code.number()] =
          ResponseHead.of(
              200,
              new Headers()
                  .add(HeaderName.CONTENT_TYPE, CONTENT_TYPE)
                  .add(HeaderName.GRPC_STATUS, number));
    }
  }

  private GrpcHeads() {}

  /** The trailer section with a code. */
  static ResponseHead trailers(Status.Code code) {
    return TRAILERS[code.number()];
  }

  /** The header section that is also the end, with a code. */
  static ResponseHead trailersOnly(Status.Code code) {
    return TRAILERS_ONLY[code.number()];
  }

  /** Adds {@code grpc-message}, if the status has one. */
  static void addMessage(Headers fields, Status status) {
    if (!status.message().isEmpty()) {
      fields.add(HeaderName.GRPC_MESSAGE, PercentEncoding.encode(status.message()));
    }
  }
}
