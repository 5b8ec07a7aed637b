package dev.peregrine.transcoding;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.Message;
import dev.peregrine.rpc.MalformedMessageException;
import java.util.ArrayList;
import java.util.List;

/**
 * The way from a message to one of its fields, e.g. {@code shelf.theme}. Each name may be written
 * as in the .proto file or as in JSON. Immutable, any thread.
 *
 * @param text the names as in the .proto file
 */
record FieldPath(String text, List<FieldDescriptor> fields) {

  /**
   * How deep a path may go: as deep as protobuf lets messages nest. Types may hold themselves, so
   * without it a target could nest messages until some thread has no more stack.
   */
  private static final int MAX_DEPTH = 100;

  /**
   * Finds a field.
   *
   * @return {@code null} if the message has no such field, or not within single messages
   */
  static FieldPath of(Descriptor message, String path) {
    List<FieldDescriptor> fields = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    Descriptor at = message;
    int from = 0;
    while (from >= 0) {
      int dot = path.indexOf('.', from);
      String name = path.substring(from, dot < 0 ? path.length() : dot);
      FieldDescriptor field = at == null ? null : find(at, name);
      if (field == null || fields.size() == MAX_DEPTH) {
        return null;
      }
      fields.add(field);
      text.append(text.length() == 0 ? "" : ".").append(field.getName());
      boolean leadsOn = field.getJavaType() == JavaType.MESSAGE && !field.isRepeated();
      at = leadsOn ? field.getMessageType() : null;
      from = dot < 0 ? -1 : dot + 1;
    }
    return new FieldPath(text.toString(), List.copyOf(fields));
  }

  /** A field by either of its names, or {@code null}. */
  static FieldDescriptor find(Descriptor message, String name) {
    FieldDescriptor field = message.findFieldByName(name);
    if (field != null) {
      return field;
    }
    for (FieldDescriptor candidate : message.getFields()) {
      if (candidate.getJsonName().equals(name)) {
        return candidate;
      }
    }
    return null;
  }

  /** The field itself. */
  FieldDescriptor last() {
    return fields.get(fields.size() - 1);
  }

  /** Sets the field, or adds to it if it is repeated. */
  void set(Message.Builder message, String value) throws MalformedMessageException {
    Message.Builder at = message;
    for (int i = 0; i < fields.size() - 1; i++) {
      at = at.getFieldBuilder(fields.get(i));
    }
    FieldDescriptor field = last();
    Object parsed;
    try {
      parsed = FieldText.parse(field, at, value);
    } catch (MalformedMessageException e) {
      throw new MalformedMessageException(text + ": " + e.getMessage());
    }
    if (field.isRepeated()) {
      at.addRepeatedField(field, parsed);
    } else {
      at.setField(field, parsed);
    }
  }

  /** The field of a {@code oneof} that would lose its value if this one were set; or null. */
  FieldDescriptor rival(Message.Builder message) {
    Message.Builder at = message;
    for (int i = 0; i < fields.size(); i++) {
      FieldDescriptor field = fields.get(i);
      OneofDescriptor oneof = field.getRealContainingOneof();
      FieldDescriptor other = oneof == null ? null : at.getOneofFieldDescriptor(oneof);
      if (other != null && other != field) {
        return other;
      }
      if (i < fields.size() - 1) {
        if (!at.hasField(field)) {
          return null;
        }
        at = at.getFieldBuilder(field);
      }
    }
    return null;
  }
}
