package dev.peregrine.transcoding;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.rpc.ErrorDetailsProto;
import dev.peregrine.json.Json;
import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.RpcException;
import dev.peregrine.rpc.Status;
import java.util.Base64;

/**
 * How a call failed, as JSON of {@code google.rpc.Status}. Immutable, any thread.
 *
 * <p>Details of a type that is not known here are told by their bytes, rather than not at all.
 */
final class StatusJson {

  private final Codec<com.google.rpc.Status> statuses;
  private final Codec<Any> details;
  private final Codec<Struct> objects;

  /**
   * A writer.
   *
   * @param types which details may have, beside those of google/rpc/error_details.proto
   */
  StatusJson(Json json, Descriptor... types) {
    Json known =
        json.withTypes(ErrorDetailsProto.getDescriptor().getMessageTypes().get(0)).withTypes(types);
    this.statuses = known.codec(com.google.rpc.Status.getDefaultInstance());
    this.details = known.codec(Any.getDefaultInstance());
    this.objects = known.codec(Struct.getDefaultInstance());
  }

  byte[] toBytes(Status status) {
    com.google.rpc.Status plain =
        com.google.rpc.Status.newBuilder()
            .setCode(status.code().number())
            .setMessage(status.message())
            .build();
    String json = new String(statuses.toBytes(plain), UTF_8);
    if (status.details().isEmpty()) {
      return json.getBytes(UTF_8);
    }
    StringBuilder text = new StringBuilder(json);
    text.setLength(text.length() - 1); // the brace
    char separator = '[';
    text.append(",\"details\":");
    for (Any detail : status.details()) {
      text.append(separator).append(new String(detail(detail), UTF_8));
      separator = ',';
    }
    return text.append("]}").toString().getBytes(UTF_8);
  }

  private byte[] detail(Any detail) {
    try {
      return details.toBytes(detail);
    } catch (RpcException e) {
      String bytes = Base64.getEncoder().encodeToString(detail.getValue().toByteArray());
      return objects.toBytes(
          Struct.newBuilder()
              .putFields("@type", text(detail.getTypeUrl()))
              .putFields("value", text(bytes))
              .build());
    }
  }

  private static Value text(String value) {
    return Value.newBuilder().setStringValue(value).build();
  }
}
