package dev.peregrine.transcoding;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.peregrine.json.Json;
import dev.peregrine.rpc.Codec;
import java.util.Arrays;

/** Writes a response, or the field of it that is the content, as JSON. Immutable, any thread. */
final class ResponseCodec<R> implements Codec<R> {

  private static final String WELL_KNOWN = "google.protobuf.";

  private final Messages<?, R> messages;
  private final FieldDescriptor field;
  private final boolean fieldIsMessage;
  private final Codec<Message> codec;

  /**
   * For one rule.
   *
   * @param field what of a response is the content; {@code null} for all of it
   */
  ResponseCodec(Messages<?, R> messages, FieldDescriptor field, Json json) {
    this.messages = messages;
    this.field = field;
    this.fieldIsMessage = field != null && Route.isMessage(field);
    Message response = messages.response();
    this.codec =
        json.codec(
            fieldIsMessage
                ? response.newBuilderForType().newBuilderForField(field).build()
                : response);
  }

  @Override
  public String name() {
    return "json";
  }

  @Override
  public int size(R message) {
    return UNKNOWN_SIZE;
  }

  @Override
  public void encode(R message, byte[] target, int offset) {
    byte[] bytes = toBytes(message);
    System.arraycopy(bytes, 0, target, offset, bytes.length);
  }

  @Override
  public R decode(byte[] source, int offset, int length) {
    throw new UnsupportedOperationException("responses are only written");
  }

  @Override
  public byte[] toBytes(R response) {
    Message message = messages.fromResponse(response);
    if (field == null) {
      return codec.toBytes(message);
    }
    if (field.hasPresence() && !message.hasField(field) && !isPlainMessage()) {
      return "null".getBytes(UTF_8);
    }
    if (fieldIsMessage) {
      return codec.toBytes((Message) message.getField(field));
    }
    Message.Builder alone = message.newBuilderForType();
    alone.setField(field, message.getField(field));
    byte[] object = codec.toBytes(alone.build());
    return object.length == 2
        ? emptyValue().getBytes(UTF_8)
        : Arrays.copyOfRange(object, valueOffset(object), object.length - 1);
  }

  /** Whether the field is a message which has an object as its JSON, so that {} stands for none. */
  private boolean isPlainMessage() {
    return fieldIsMessage && !field.getMessageType().getFullName().startsWith(WELL_KNOWN);
  }

  /** Where the value begins in an object with one member. */
  private static int valueOffset(byte[] object) {
    int at = 2; // the brace and the quote before the name
    while (object[at] != '"') {
      at += object[at] == '\\' ? 2 : 1;
    }
    return at + 2; // the quote behind the name and the colon
  }

  /** The JSON of a field which printers leave out. */
  private String emptyValue() {
    if (field.isRepeated()) {
      return field.isMapField() ? "{}" : "[]";
    }
    return switch (field.getType()) {
      case STRING, BYTES -> "\"\"";
      case BOOL -> "false";
      case INT64, UINT64, SINT64, FIXED64, SFIXED64 -> "\"0\"";
      case ENUM -> "\"" + ((EnumValueDescriptor) field.getDefaultValue()).getName() + "\"";
      default -> "0";
    };
  }
}
