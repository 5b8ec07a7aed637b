package dev.peregrine.rpc.protocol;

/** How answers look as {@link FakeHttpStream} shows them. Any thread. */
final class Answers {

  static final String HEAD = "HEADERS :status=200 content-type=application/grpc";
  static final String OK = "TRAILERS grpc-status=0";

  private Answers() {}

  /** A trailers-only answer without a text. */
  static String fails(int code) {
    return "HEADERS END_STREAM :status=200 content-type=application/grpc grpc-status=" + code;
  }

  /** A trailers-only answer with a text, as it is encoded. */
  static String fails(int code, String message) {
    return fails(code) + " grpc-message=" + message;
  }
}
