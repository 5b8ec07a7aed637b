package dev.peregrine.transcoding;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.ListValue;
import com.google.protobuf.Message;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.FieldMaskUtil;
import com.google.protobuf.util.Timestamps;
import dev.peregrine.json.Json;
import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.MalformedMessageException;
import java.text.ParseException;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The value of a field as text in a path or a query: what its JSON would be, without the quotes.
 * Any thread.
 */
final class FieldText {

  private static final Pattern DECIMAL =
      Pattern.compile("[-+]?([0-9]+\\.?|[0-9]*\\.[0-9]+)([eE][-+]?[0-9]+)?");

  private static final Set<String> NOT_FINITE = Set.of("NaN", "Infinity", "-Infinity");

  private static final Set<String> WRAPPERS =
      Set.of(
          "google.protobuf.BoolValue",
          "google.protobuf.BytesValue",
          "google.protobuf.DoubleValue",
          "google.protobuf.FloatValue",
          "google.protobuf.Int32Value",
          "google.protobuf.Int64Value",
          "google.protobuf.StringValue",
          "google.protobuf.UInt32Value",
          "google.protobuf.UInt64Value");

  private static final Set<String> OTHERS =
      Set.of(
          "google.protobuf.Duration",
          "google.protobuf.FieldMask",
          "google.protobuf.ListValue",
          "google.protobuf.Struct",
          "google.protobuf.Timestamp",
          "google.protobuf.Value");

  private static final Codec<Value> VALUES = new Json().codec(Value.getDefaultInstance());
  private static final Codec<Struct> STRUCTS = new Json().codec(Struct.getDefaultInstance());
  private static final Codec<ListValue> LISTS = new Json().codec(ListValue.getDefaultInstance());

  private FieldText() {}

  /** Whether a field, or one of its items, can be told as one text. */
  static boolean fits(FieldDescriptor field) {
    return field.getJavaType() != JavaType.MESSAGE
        || WRAPPERS.contains(field.getMessageType().getFullName())
        || OTHERS.contains(field.getMessageType().getFullName());
  }

  /**
   * Parses the value of a field, or an item of one that is repeated.
   *
   * @param parent makes messages of the field's type
   * @throws MalformedMessageException saying what it should be
   */
  static Object parse(FieldDescriptor field, Message.Builder parent, String text)
      throws MalformedMessageException {
    try {
      return switch (field.getType()) {
        case INT32, SINT32, SFIXED32 -> Integer.parseInt(text);
        case UINT32, FIXED32 -> Integer.parseUnsignedInt(text);
        case INT64, SINT64, SFIXED64 -> Long.parseLong(text);
        case UINT64, FIXED64 -> Long.parseUnsignedLong(text);
        case FLOAT -> (float) decimal(text, Float.MAX_VALUE);
        case DOUBLE -> decimal(text, Double.MAX_VALUE);
        case BOOL -> bool(text);
        case STRING -> text;
        case BYTES -> bytes(text);
        case ENUM -> enumValue(field, text);
        case MESSAGE, GROUP ->
            message(field.getMessageType(), parent.newBuilderForField(field), text);
      };
    } catch (IllegalArgumentException | ParseException | InvalidProtocolBufferException e) {
      throw new MalformedMessageException("the value is not " + nameOf(field));
    }
  }

  private static String nameOf(FieldDescriptor field) {
    return switch (field.getType()) {
      case MESSAGE, GROUP -> "a " + field.getMessageType().getFullName();
      case ENUM -> "a name or number of " + field.getEnumType().getFullName();
      case BYTES -> "base64";
      case INT32, INT64 -> "an " + field.getType().name().toLowerCase(Locale.ROOT);
      default -> "a " + field.getType().name().toLowerCase(Locale.ROOT);
    };
  }

  private static double decimal(String text, double max) {
    if (NOT_FINITE.contains(text)) {
      return Double.parseDouble(text);
    }
    if (!DECIMAL.matcher(text).matches()) {
      throw new IllegalArgumentException(text);
    }
    double value = Double.parseDouble(text);
    if (Math.abs(value) > max) {
      throw new IllegalArgumentException(text);
    }
    return value;
  }

  private static boolean bool(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(text);
    }
    return text.equals("true");
  }

  /** Base64 of either alphabet, padded or not. */
  private static ByteString bytes(String text) {
    return ByteString.copyFrom(
        Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/')));
  }

  private static EnumValueDescriptor enumValue(FieldDescriptor field, String text) {
    EnumValueDescriptor value = field.getEnumType().findValueByName(text);
    if (value != null) {
      return value;
    }
    int number = Integer.parseInt(text);
    value = field.getEnumType().findValueByNumber(number);
    if (value == null && field.getEnumType().isClosed()) {
      throw new IllegalArgumentException(text);
    }
    return value != null ? value : field.getEnumType().findValueByNumberCreatingIfUnknown(number);
  }

  private static Message message(Descriptor type, Message.Builder builder, String text)
      throws MalformedMessageException, ParseException, InvalidProtocolBufferException {
    if (WRAPPERS.contains(type.getFullName())) {
      FieldDescriptor value = type.findFieldByName("value");
      return builder.setField(value, parse(value, builder, text)).build();
    }
    switch (type.getFullName()) {
      case "google.protobuf.Timestamp" -> builder.mergeFrom(Timestamps.parse(text).toByteString());
      case "google.protobuf.Duration" -> builder.mergeFrom(Durations.parse(text).toByteString());
      case "google.protobuf.FieldMask" ->
          builder.mergeFrom(FieldMaskUtil.fromJsonString(text).toByteString());
      case "google.protobuf.Value" -> builder.mergeFrom(json(VALUES, text));
      case "google.protobuf.Struct" -> builder.mergeFrom(json(STRUCTS, text));
      case "google.protobuf.ListValue" -> builder.mergeFrom(json(LISTS, text));
      default ->
          throw new MalformedMessageException(
              "a " + type.getFullName() + " is not one value; name one of its fields");
    }
    return builder.build();
  }

  /** The message of a JSON text, encoded. */
  private static ByteString json(Codec<? extends Message> codec, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    try {
      return codec.decode(bytes, 0, bytes.length).toByteString();
    } catch (MalformedMessageException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
