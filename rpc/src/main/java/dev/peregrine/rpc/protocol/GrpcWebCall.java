package dev.peregrine.rpc.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;

/**
 * A call by gRPC-Web (PROTOCOL-WEB): the status is in a last frame, since browsers show no
 * trailers; or in the header section, if that is all there is. Loop-confined, but for {@link
 * #encode}.
 */
class GrpcWebCall<Q, R> extends EnvelopedCall<Q, R> {

  /** The flag of the frame that holds the trailers. */
  private static final int TRAILERS_FLAG = 0x80;

  /** The usual end. Never written to. */
  private static final byte[] OK = frame(Status.Code.OK, null);

  GrpcWebCall(HttpStream stream, RequestHead<Q, R> head) {
    super(stream, head);
  }

  @Override
  final Status writeEnd(Status status, boolean headSent, Metadata headers, Metadata trailers) {
    int room = stream.peerMaxHeaderListBytes() - GrpcStatusFields.FIXED_TRAILERS_BYTES;
    boolean open = headSent || writeEarlyHead(headers, room);
    if (open) {
      // A frame is content: no limit of the peer's on header sections applies.
      Headers fields = GrpcStatusFields.of(status, trailers, Integer.MAX_VALUE);
      boolean plain = status.isOk() && fields == null;
      writeTrailers(plain ? OK : frame(status.code(), fields));
    } else {
      ResponseHead only = ((GrpcProtocol) head.protocol()).heads().trailersOnly(status.code());
      stream.head(only, GrpcStatusFields.of(status, trailers, room), true);
    }
    return status;
  }

  /** Sends the last frame; it may be shared. */
  void writeTrailers(byte[] frame) {
    stream.data(frame, 0, frame.length, true);
  }

  /** {@code name: value} and CR LF for each field, without an empty line at the end. */
  private static byte[] frame(Status.Code code, Headers fields) {
    StringBuilder text = new StringBuilder();
    append(text, HeaderName.GRPC_STATUS, Integer.toString(code.number()));
    for (int i = 0; fields != null && i < fields.size(); i++) {
      append(text, fields.name(i), fields.value(i));
    }
    byte[] lines = text.toString().getBytes(ISO_8859_1);
    byte[] frame = new byte[EnvelopeReader.PREFIX_BYTES + lines.length];
    writePrefix(TRAILERS_FLAG, lines.length, frame, 0);
    System.arraycopy(lines, 0, frame, EnvelopeReader.PREFIX_BYTES, lines.length);
    return frame;
  }

  private static void append(StringBuilder text, HeaderName name, String value) {
    text.append(name).append(": ").append(value).append("\r\n");
  }
}
