package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.ResponseHead;

/**
 * The ready-made header and trailer sections of gRPC over HTTP/2, for one content type. Made when a
 * server is built, then any thread.
 */
final class GrpcHeads {

  static final String CONTENT_TYPE = "application/grpc";

  private static final int CODES = Status.Code.values().length;
  private static final ResponseHead[] TRAILERS = new ResponseHead[CODES];

  static {
    for (Status.Code code : Status.Code.values()) {
      TRAILERS[code.number()] =
          ResponseHead.trailers(new Headers().add(HeaderName.GRPC_STATUS, number(code)));
    }
  }

  private final String contentType;
  private final CodedHeads coded;
  private final ResponseHead[] trailersOnly = new ResponseHead[CODES];

  GrpcHeads(String contentType, Codings codings) {
    this.contentType = contentType;
    this.coded =
        new CodedHeads(
            contentType, HeaderName.GRPC_ENCODING, HeaderName.GRPC_ACCEPT_ENCODING, codings);
    for (Status.Code code : Status.Code.values()) {
      trailersOnly[code.number()] =
          ResponseHead.of(200, typed().add(HeaderName.GRPC_STATUS, number(code)));
    }
  }

  private Headers typed() {
    return new Headers().add(HeaderName.CONTENT_TYPE, contentType);
  }

  private static String number(Status.Code code) {
    return Integer.toString(code.number());
  }

  /**
   * The header section of a response with messages.
   *
   * @param compressor what its messages may be compressed with, or {@code null}
   * @param advertise whether the client cares what this server can decompress
   */
  ResponseHead response(Compressor compressor, boolean advertise) {
    return coded.response(compressor, advertise);
  }

  /** The trailer section with a code. */
  static ResponseHead trailers(Status.Code code) {
    return TRAILERS[code.number()];
  }

  /** The header section that is also the end, with a code. */
  ResponseHead trailersOnly(Status.Code code) {
    return trailersOnly[code.number()];
  }

  /** Adds {@code grpc-message}, if the status has one. */
  static void addMessage(Headers fields, Status status) {
    if (!status.message().isEmpty()) {
      fields.add(HeaderName.GRPC_MESSAGE, PercentEncoding.encode(status.message()));
    }
  }
}
