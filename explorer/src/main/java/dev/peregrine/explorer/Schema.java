package dev.peregrine.explorer;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ProtobufCodec;
import dev.peregrine.rpc.ServiceDefinition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;

/**
 * One thread. What the page knows of a server, as one JSON document:
 *
 * <pre>
 * services: [{name, comment?, file?, methods: [{name, kind, request?, response?, comment?, ...}]}]
 * messages: {full name: {comment?, fields: [{name, json, type, ref?, repeated?, map?, ...}]}}
 * enums:    {full name: {comment?, values: [{name, number, comment?}]}}
 * </pre>
 *
 * <p>What is false or unknown is left out. Messages and enums are those that methods lead to.
 */
final class Schema {

  private final Map<String, String> comments = new HashMap<>();
  private final List<Object> services = new ArrayList<>();
  private final Map<String, Object> messages = new TreeMap<>();
  private final Map<String, Object> enums = new TreeMap<>();
  private final Queue<Descriptor> unseen = new ArrayDeque<>();

  private Schema() {}

  /** The document for some services. */
  static String of(List<ServiceDefinition> services) {
    Schema schema = new Schema();
    services.forEach(service -> service.comments().forEach(schema.comments::putIfAbsent));
    services.forEach(schema::addService);
    for (Descriptor next = schema.unseen.poll(); next != null; next = schema.unseen.poll()) {
      schema.addMessage(next);
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("services", schema.services);
    document.put("messages", schema.messages);
    document.put("enums", schema.enums);
    return JsonText.of(document);
  }

  private void addService(ServiceDefinition service) {
    ServiceDescriptor descriptor = descriptor(service);
    Map<String, Object> entry = named(service.name(), service.name());
    List<Object> methods = new ArrayList<>();
    for (ServiceDefinition.Binding<?, ?> binding : service.bindings()) {
      Method<?, ?> method = binding.method();
      methods.add(
          method(method, descriptor == null ? null : descriptor.findMethodByName(method.name())));
    }
    if (descriptor != null) {
      entry.put("file", descriptor.getFile().getName());
      flag(entry, "deprecated", descriptor.getOptions().getDeprecated());
    }
    entry.put("methods", methods);
    services.add(entry);
  }

  private static ServiceDescriptor descriptor(ServiceDefinition service) {
    return service
        .descriptor()
        .flatMap(
            file ->
                file.getServices().stream()
                    .filter(declared -> declared.getFullName().equals(service.name()))
                    .findFirst())
        .orElse(null);
  }

  private Map<String, Object> method(Method<?, ?> method, MethodDescriptor descriptor) {
    Map<String, Object> entry = named(method.name(), method.serviceName() + "." + method.name());
    entry.put("kind", method.kind().name().toLowerCase(Locale.ROOT));
    putType(entry, "request", method.requestCodec());
    putType(entry, "response", method.responseCodec());
    flag(entry, "noSideEffects", method.noSideEffects());
    flag(entry, "deprecated", descriptor != null && descriptor.getOptions().getDeprecated());
    return entry;
  }

  /** Only messages of protobuf have a form; others are called with what the user writes. */
  private void putType(Map<String, Object> entry, String key, Codec<?> codec) {
    if (codec instanceof ProtobufCodec<?> protobuf && protobuf.prototype() instanceof Message m) {
      entry.put(key, refer(m.getDescriptorForType()));
    }
  }

  private String refer(Descriptor message) {
    String name = message.getFullName();
    if (!messages.containsKey(name)) {
      messages.put(name, Map.of());
      unseen.add(message);
    }
    return name;
  }

  private String refer(EnumDescriptor type) {
    String name = type.getFullName();
    if (!enums.containsKey(name)) {
      Map<String, Object> entry = commented(name);
      List<Object> values = new ArrayList<>();
      for (EnumValueDescriptor value : type.getValues()) {
        Map<String, Object> one = named(value.getName(), name + "." + value.getName());
        one.put("number", value.getNumber());
        flag(one, "deprecated", value.getOptions().getDeprecated());
        values.add(one);
      }
      entry.put("values", values);
      enums.put(name, entry);
    }
    return name;
  }

  private void addMessage(Descriptor message) {
    Map<String, Object> entry = commented(message.getFullName());
    flag(entry, "deprecated", message.getOptions().getDeprecated());
    Map<String, Object> oneofs = new LinkedHashMap<>();
    for (OneofDescriptor oneof : message.getRealOneofs()) {
      oneofs.put(oneof.getName(), commented(oneof.getFullName()));
    }
    if (!oneofs.isEmpty()) {
      entry.put("oneofs", oneofs);
    }
    List<Object> fields = new ArrayList<>();
    for (FieldDescriptor field : message.getFields()) {
      fields.add(field(field));
    }
    entry.put("fields", fields);
    messages.put(message.getFullName(), entry);
  }

  private Map<String, Object> field(FieldDescriptor field) {
    Map<String, Object> entry = named(field.getName(), field.getFullName());
    entry.put("json", field.getJsonName());
    if (field.isMapField()) {
      Descriptor pair = field.getMessageType();
      entry.put("map", typeName(pair.findFieldByName("key")));
      putType(entry, pair.findFieldByName("value"));
      return entry;
    }
    putType(entry, field);
    OneofDescriptor oneof = field.getRealContainingOneof();
    if (oneof != null) {
      entry.put("oneof", oneof.getName());
    }
    boolean message = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    flag(entry, "repeated", field.isRepeated());
    flag(entry, "required", field.isRequired());
    flag(
        entry, "optional", field.hasPresence() && !message && oneof == null && !field.isRequired());
    flag(entry, "deprecated", field.getOptions().getDeprecated());
    return entry;
  }

  private void putType(Map<String, Object> entry, FieldDescriptor field) {
    entry.put("type", typeName(field));
    if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      entry.put("ref", refer(field.getMessageType()));
    } else if (field.getJavaType() == FieldDescriptor.JavaType.ENUM) {
      entry.put("ref", refer(field.getEnumType()));
    }
  }

  /** As in a .proto file; groups look like messages in JSON. */
  private static String typeName(FieldDescriptor field) {
    return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
        ? "message"
        : field.getType().name().toLowerCase(Locale.ROOT);
  }

  private Map<String, Object> named(String name, String fullName) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("name", name);
    entry.putAll(commented(fullName));
    return entry;
  }

  private Map<String, Object> commented(String fullName) {
    Map<String, Object> entry = new LinkedHashMap<>();
    String comment = comments.get(fullName);
    if (comment != null) {
      entry.put("comment", comment);
    }
    return entry;
  }

  private static void flag(Map<String, Object> entry, String key, boolean on) {
    if (on) {
      entry.put(key, true);
    }
  }
}
