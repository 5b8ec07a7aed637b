package dev.peregrine.json;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import java.util.Map;

/**
 * Finds where in a JSON text the fault is for which a parser refused it: the parser does not say.
 * Each part is parsed alone, from the outside in, so this is for short texts. Any thread.
 */
final class JsonFault {

  /** Beyond this, looking would cost an attacker too little: a level deep parses all again. */
  static final int MAX_CHARS = 16 * 1024;

  private final JsonFormat.Parser parser;

  private JsonFault(JsonFormat.Parser parser) {
    this.parser = parser;
  }

  /**
   * The path of the faulty field as in {@code rows[2].count}; empty if it is the message itself, or
   * cannot be told.
   */
  static String path(String text, Message prototype, JsonFormat.Parser parser) {
    if (text.length() > MAX_CHARS) {
      return "";
    }
    try {
      StringBuilder path = new StringBuilder();
      new JsonFault(parser).find(JsonParser.parseString(text), prototype, path);
      return path.toString();
    } catch (JsonParseException | IllegalStateException e) {
      return ""; // not JSON at all
    }
  }

  private void find(JsonElement element, Message prototype, StringBuilder path) {
    if (!(element instanceof JsonObject object) || isWellKnown(prototype.getDescriptorForType())) {
      return;
    }
    for (Map.Entry<String, JsonElement> member : object.entrySet()) {
      JsonObject alone = new JsonObject();
      alone.add(member.getKey(), member.getValue());
      if (isFaulty(alone, prototype)) {
        path.append(path.length() == 0 ? "" : ".").append(member.getKey());
        FieldDescriptor field = field(prototype.getDescriptorForType(), member.getKey());
        if (field != null) {
          findWithin(field, member, prototype, path);
        }
        return;
      }
    }
  }

  private void findWithin(
      FieldDescriptor field,
      Map.Entry<String, JsonElement> member,
      Message prototype,
      StringBuilder path) {
    boolean message = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    if (field.isMapField()) {
      return;
    }
    if (!field.isRepeated()) {
      if (message) {
        find(member.getValue(), element(prototype, field), path);
      }
      return;
    }
    if (!(member.getValue() instanceof JsonArray array)) {
      return;
    }
    for (int i = 0; i < array.size(); i++) {
      JsonArray alone = new JsonArray();
      alone.add(array.get(i));
      JsonObject holder = new JsonObject();
      holder.add(member.getKey(), alone);
      if (isFaulty(holder, prototype)) {
        path.append('[').append(i).append(']');
        if (message) {
          find(array.get(i), element(prototype, field), path);
        }
        return;
      }
    }
  }

  private static Message element(Message prototype, FieldDescriptor field) {
    return prototype.newBuilderForType().newBuilderForField(field).getDefaultInstanceForType();
  }

  private boolean isFaulty(JsonObject alone, Message prototype) {
    try {
      parser.merge(alone.toString(), prototype.newBuilderForType());
      return false;
    } catch (InvalidProtocolBufferException | IllegalArgumentException | IllegalStateException e) {
      return true;
    }
  }

  private static FieldDescriptor field(Descriptor type, String name) {
    for (FieldDescriptor field : type.getFields()) {
      if (field.getJsonName().equals(name) || field.getName().equals(name)) {
        return field;
      }
    }
    return null;
  }

  /** Types whose JSON is not an object of their fields. */
  private static boolean isWellKnown(Descriptor type) {
    return type.getFile().getPackage().equals("google.protobuf")
        && !type.getFile().getName().equals("google/protobuf/descriptor.proto");
  }
}
