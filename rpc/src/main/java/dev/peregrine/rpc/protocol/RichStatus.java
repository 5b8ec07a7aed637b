package dev.peregrine.rpc.protocol;

import com.google.protobuf.Any;
import com.google.protobuf.CodedOutputStream;
import dev.peregrine.rpc.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * {@code google.rpc.Status}: {@code int32 code = 1; string message = 2; repeated Any details = 3}.
 * Written by hand: three fields are no reason to depend on an artifact. Any thread.
 */
final class RichStatus {

  private RichStatus() {}

  /** The message for a status with details. */
  static byte[] encode(Status status) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      out.writeInt32(1, status.code().number());
      if (!status.message().isEmpty()) {
        out.writeString(2, status.message());
      }
      for (Any detail : status.details()) {
        out.writeMessage(3, detail);
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
    return bytes.toByteArray();
  }
}
