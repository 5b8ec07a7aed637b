package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.ResponseHead;

/**
 * The ready-made header sections of responses whose content is one message, for one content type.
 * Made when a server is built, then any thread.
 */
final class BodyHeads {

  private static final int CODES = Status.Code.values().length;
  private static final ResponseHead[] JSON_ERRORS = errors("application/json");
  private static final ResponseHead[] TEXT_ERRORS = errors("text/plain; charset=utf-8");

  private final CodedHeads heads;

  BodyHeads(String contentType, Codings codings) {
    this.heads = new CodedHeads(contentType, HeaderName.CONTENT_ENCODING, null, codings);
  }

  private static ResponseHead[] errors(String contentType) {
    ResponseHead[] heads = new ResponseHead[CODES];
    for (Status.Code code : Status.Code.values()) {
      Headers typed = new Headers().add(HeaderName.CONTENT_TYPE, contentType);
      heads[code.number()] = ResponseHead.of(ConnectError.httpStatus(code), typed);
    }
    return heads;
  }

  /**
   * Of a response.
   *
   * @param compressor what its content is compressed with, or {@code null}
   */
  ResponseHead response(Compressor compressor) {
    return heads.response(compressor, false);
  }

  /** Of an error that is told as JSON. */
  static ResponseHead jsonError(Status.Code code) {
    return JSON_ERRORS[code.number()];
  }

  /** Of an error that is told as text. */
  static ResponseHead textError(Status.Code code) {
    return TEXT_ERRORS[code.number()];
  }
}
