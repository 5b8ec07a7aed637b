package dev.peregrine.protoc;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/**
 * Confined to one service. The comments of a service, its methods, and the messages and enums they
 * lead to, by full name and in this order.
 */
final class Commented {

  /** Everybody knows the well-known types, and their comments are longer than most files. */
  private static final String WELL_KNOWN = "google/protobuf/";

  /**
   * JVMS 4.7.3: the code of a method ends at 64 KiB, and a comment takes 13 bytes of it. What is
   * left out is what lies farthest from the service.
   */
  private static final int MAX_COMMENTS = 2000;

  /** JVMS 4.4.7: a constant ends at 64 KiB, and a char takes up to 3 bytes of it. */
  private static final int MAX_COMMENT_CHARS = 16_000;

  private final Map<FileDescriptor, SourceComments> sources = new HashMap<>();
  private final Map<String, String> comments = new LinkedHashMap<>();
  private final Set<String> seen = new HashSet<>();
  private final Queue<Descriptor> messages = new ArrayDeque<>();

  private Commented() {}

  /** The comments of a service and what it leads to. */
  static Map<String, String> by(ServiceDescriptor service) {
    Commented commented = new Commented();
    commented.addService(service);
    for (Descriptor message = commented.messages.poll();
        message != null;
        message = commented.messages.poll()) {
      commented.addMessage(message);
    }
    return commented.comments;
  }

  private void addService(ServiceDescriptor service) {
    List<Integer> path = List.of(FileDescriptorProto.SERVICE_FIELD_NUMBER, service.getIndex());
    add(service.getFile(), path, service.getFullName());
    for (MethodDescriptor method : service.getMethods()) {
      add(
          service.getFile(),
          below(path, ServiceDescriptorProto.METHOD_FIELD_NUMBER, method.getIndex()),
          method.getFullName());
      meet(method.getInputType());
      meet(method.getOutputType());
    }
  }

  private void meet(Descriptor message) {
    if (!message.getFile().getName().startsWith(WELL_KNOWN) && seen.add(message.getFullName())) {
      messages.add(message);
    }
  }

  private void addMessage(Descriptor message) {
    FileDescriptor file = message.getFile();
    List<Integer> path = path(message);
    add(file, path, message.getFullName());
    for (OneofDescriptor oneof : message.getRealOneofs()) {
      add(
          file,
          below(path, DescriptorProto.ONEOF_DECL_FIELD_NUMBER, oneof.getIndex()),
          oneof.getFullName());
    }
    for (FieldDescriptor field : message.getFields()) {
      add(
          file,
          below(path, DescriptorProto.FIELD_FIELD_NUMBER, field.getIndex()),
          field.getFullName());
      if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        meet(field.getMessageType());
      } else if (field.getJavaType() == FieldDescriptor.JavaType.ENUM) {
        addEnum(field.getEnumType());
      }
    }
  }

  private void addEnum(EnumDescriptor type) {
    FileDescriptor file = type.getFile();
    if (file.getName().startsWith(WELL_KNOWN) || !seen.add(type.getFullName())) {
      return;
    }
    List<Integer> path =
        type.getContainingType() == null
            ? List.of(FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER, type.getIndex())
            : below(
                path(type.getContainingType()),
                DescriptorProto.ENUM_TYPE_FIELD_NUMBER,
                type.getIndex());
    add(file, path, type.getFullName());
    for (EnumValueDescriptor value : type.getValues()) {
      add(
          file,
          below(path, EnumDescriptorProto.VALUE_FIELD_NUMBER, value.getIndex()),
          // Protobuf names values beside their enum, which says less.
          type.getFullName() + "." + value.getName());
    }
  }

  private static List<Integer> path(Descriptor message) {
    Descriptor outer = message.getContainingType();
    return outer == null
        ? List.of(FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER, message.getIndex())
        : below(path(outer), DescriptorProto.NESTED_TYPE_FIELD_NUMBER, message.getIndex());
  }

  private static List<Integer> below(List<Integer> path, int field, int index) {
    List<Integer> longer = new ArrayList<>(path);
    longer.add(field);
    longer.add(index);
    return longer;
  }

  private void add(FileDescriptor file, List<Integer> path, String name) {
    String comment = sources.computeIfAbsent(file, SourceComments::new).of(path);
    if (comment != null && comments.size() < MAX_COMMENTS) {
      comments.put(name, text(comment));
    }
  }

  private static String text(String comment) {
    StringBuilder text = new StringBuilder();
    for (String line : comment.lines().toList()) {
      if (!text.isEmpty() || !line.isBlank()) {
        text.append(SourceComments.line(line)).append('\n');
      }
    }
    String whole = text.toString().stripTrailing();
    if (whole.length() <= MAX_COMMENT_CHARS) {
      return whole;
    }
    boolean splitsPair = Character.isHighSurrogate(whole.charAt(MAX_COMMENT_CHARS - 1));
    return whole.substring(0, splitsPair ? MAX_COMMENT_CHARS - 1 : MAX_COMMENT_CHARS) + "…";
  }
}
