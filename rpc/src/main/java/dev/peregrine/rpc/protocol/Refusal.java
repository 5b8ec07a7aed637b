package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.HttpVersion;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.StreamListener;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * A request that is answered without any handler. Immutable; the same object answers every request
 * with the same fault.
 */
final class Refusal implements Opening {

  /** Hears the rest of a request that was answered; the engine drops it anyway. */
  static final StreamListener DEAF =
      new StreamListener() {
        @Override
        public void onData(byte[] bytes, int offset, int length, boolean end) {}

        @Override
        public void onTrailers(Headers trailers) {}

        @Override
        public void onReset(ErrorCode code) {}

        @Override
        public void onWritable() {}
      };

  /**
   * How much of a text is told. Texts quote what the peer has sent, up to its whole header section,
   * of which every character may take six to encode; the 8 KiB that clients usually accept must
   * hold the answer.
   */
  private static final int MAX_TEXT_CHARS = 512;

  private static final Refusal NOT_MULTIPLEXED =
      http(
          505,
          Status.INTERNAL.withMessage("a bidirectional stream needs HTTP/2"),
          HeaderName.CONNECTION,
          "close");

  private final Status status;
  private final ResponseHead head;
  private final Headers extra;
  private final byte[] body;

  private Refusal(Status status, ResponseHead head, Headers extra, byte[] body) {
    this.status = status;
    this.head = head;
    this.extra = extra;
    this.body = body;
  }

  /**
   * An HTTP error for a request that is not proper gRPC. It carries a line of text for people and
   * the gRPC status for gRPC clients, which show it instead of guessing from the HTTP status.
   *
   * @param httpStatus 400 to 599
   */
  static Refusal http(int httpStatus, Status status) {
    return http(httpStatus, status, null, null);
  }

  /** The same with one more header field. */
  static Refusal http(int httpStatus, Status status, HeaderName name, String value) {
    Headers fixed = new Headers().add(HeaderName.CONTENT_TYPE, "text/plain; charset=utf-8");
    if (name != null) {
      fixed.add(name, value);
    }
    Status told = cut(status);
    Headers extra =
        new Headers()
            .add(HeaderName.GRPC_STATUS, Integer.toString(status.code().number()))
            .add(HeaderName.GRPC_MESSAGE, PercentEncoding.encode(told.message()));
    byte[] body = (told.message() + "\n").getBytes(StandardCharsets.UTF_8);
    return new Refusal(status, ResponseHead.of(httpStatus, fixed), extra, body);
  }

  /**
   * A trailers-only answer: a gRPC call that fails before any message.
   *
   * @param name of one more field, or {@code null}
   */
  static Refusal trailersOnly(GrpcHeads heads, Status status, HeaderName name, String value) {
    Headers extra = new Headers();
    if (name != null) {
      extra.add(name, value);
    }
    GrpcHeads.addMessage(extra, cut(status));
    return new Refusal(status, heads.trailersOnly(status.code()), extra, null);
  }

  /**
   * An answer in a protocol's own form.
   *
   * @param name of one more field, or {@code null}
   * @param body makes the content of the status, its text cut
   */
  static Refusal of(
      Status status,
      ResponseHead head,
      HeaderName name,
      String value,
      Function<Status, byte[]> body) {
    Headers extra = name == null ? null : new Headers().add(name, value);
    return new Refusal(status, head, extra, body.apply(cut(status)));
  }

  /**
   * The answer to a bidirectional call over a version of HTTP that cannot carry one, or {@code
   * null}. Clients that wait for responses while they send would wait for ever, so the connection
   * is closed, too.
   */
  static Refusal ifBidi(BoundMethod<?, ?> method, HttpVersion version) {
    return version.multiplexed() || method.method().kind() != Method.Kind.BIDI_STREAMING
        ? null
        : NOT_MULTIPLEXED;
  }

  private static Status cut(Status status) {
    String text = status.message();
    return text.length() <= MAX_TEXT_CHARS
        ? status
        : status.withMessage(text.substring(0, MAX_TEXT_CHARS) + "...");
  }

  /** The HTTP status of the answer. */
  int httpStatus() {
    return head.status();
  }

  /** The length of the answer's content. */
  int contentBytes() {
    return body == null ? 0 : body.length;
  }

  /** What the client is told, as a status. */
  Status status() {
    return status;
  }

  @Override
  public Refusal refusal() {
    return this;
  }

  @Override
  public StreamListener open(HttpStream stream, boolean end) {
    if (body == null) {
      stream.head(head, extra, true);
    } else {
      stream.head(head, extra, false);
      stream.data(body, 0, body.length, true);
    }
    return DEAF;
  }
}
