package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import java.util.Base64;

/**
 * The fields in which gRPC and gRPC-Web tell a status beyond its code, and trailing metadata. Any
 * thread.
 */
final class GrpcStatusFields {

  /** {@code content-type: application/grpc}, and the space a status of two digits takes. */
  static final int FIXED_TRAILERS_BYTES = 160;

  private GrpcStatusFields() {}

  /**
   * All there is to tell beyond the code.
   *
   * @param room how many bytes the peer takes; what does not fit is cut or left out
   * @return {@code null} if there is nothing
   */
  static Headers of(Status status, Metadata trailers, int room) {
    if (status.isPlain() && trailers == null) {
      return null;
    }
    Headers extra = new Headers();
    addMessage(extra, status, room);
    addDetails(extra, status, room);
    addWithin(extra, trailers, room);
    return extra;
  }

  /** A text longer than the peer takes is cut: the code must arrive. */
  private static void addMessage(Headers extra, Status status, int room) {
    if (!status.message().isEmpty()) {
      String encoded = PercentEncoding.encode(status.message());
      int overhead = HeaderName.GRPC_MESSAGE.toString().length() + Headers.FIELD_OVERHEAD_BYTES;
      if (room > overhead) {
        extra.add(HeaderName.GRPC_MESSAGE, PercentEncoding.cut(encoded, room - overhead));
      }
    }
  }

  /** {@code google.rpc.Status}, unpadded base64; left out if the peer would not take it. */
  private static void addDetails(Headers extra, Status status, int room) {
    if (!status.details().isEmpty()) {
      String value = Base64.getEncoder().withoutPadding().encodeToString(RichStatus.encode(status));
      addWithin(extra, HeaderName.GRPC_STATUS_DETAILS_BIN, value, room);
    }
  }

  private static void addWithin(Headers extra, HeaderName name, String value, int room) {
    int bytes = name.toString().length() + value.length() + Headers.FIELD_OVERHEAD_BYTES;
    if (extra.listBytes() + bytes <= room) {
      extra.add(name, value);
    }
  }

  /** Metadata; fields which the peer would not take are left out. */
  static void addWithin(Headers extra, Metadata metadata, int room) {
    if (metadata == null) {
      return;
    }
    Headers fields = metadata.fields();
    for (int i = 0; i < fields.size(); i++) {
      addWithin(extra, fields.name(i), fields.value(i), room);
    }
  }
}
