package dev.peregrine.services;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import dev.peregrine.rpc.ServiceDefinition;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Any thread. The files that services and their imports lead to, by what clients ask for. Where two
 * files claim a name, the first has it.
 */
final class DescriptorIndex {

  private final SortedSet<String> serviceNames = new TreeSet<>();
  private final Map<String, FileDescriptor> files = new HashMap<>();
  private final Map<String, FileDescriptor> symbols = new HashMap<>();
  private final Set<String> messages = new HashSet<>();
  private final Map<String, NavigableMap<Integer, FileDescriptor>> extensions = new HashMap<>();
  private final Map<FileDescriptor, ByteString> encoded = new ConcurrentHashMap<>();

  /**
   * An index of services and files.
   *
   * @param moreFiles files that the services do not lead to
   */
  DescriptorIndex(Collection<ServiceDefinition> services, Collection<FileDescriptor> moreFiles) {
    Queue<FileDescriptor> found = new ArrayDeque<>();
    for (ServiceDefinition service : services) {
      serviceNames.add(service.name());
      service.descriptor().ifPresent(found::add);
    }
    found.addAll(moreFiles);
    for (FileDescriptor file = found.poll(); file != null; file = found.poll()) {
      if (files.putIfAbsent(file.getName(), file) == null) {
        addSymbols(file);
        found.addAll(file.getDependencies());
      }
    }
  }

  private void addSymbols(FileDescriptor file) {
    for (ServiceDescriptor service : file.getServices()) {
      symbols.putIfAbsent(service.getFullName(), file);
      for (MethodDescriptor method : service.getMethods()) {
        symbols.putIfAbsent(method.getFullName(), file);
      }
    }
    file.getMessageTypes().forEach(this::addMessage);
    file.getEnumTypes().forEach(this::addEnum);
    file.getExtensions().forEach(this::addExtension);
  }

  private void addMessage(Descriptor message) {
    messages.add(message.getFullName());
    symbols.putIfAbsent(message.getFullName(), message.getFile());
    message.getNestedTypes().forEach(this::addMessage);
    message.getEnumTypes().forEach(this::addEnum);
    message.getExtensions().forEach(this::addExtension);
  }

  private void addEnum(EnumDescriptor type) {
    symbols.putIfAbsent(type.getFullName(), type.getFile());
  }

  private void addExtension(FieldDescriptor extension) {
    symbols.putIfAbsent(extension.getFullName(), extension.getFile());
    extensions
        .computeIfAbsent(extension.getContainingType().getFullName(), type -> new TreeMap<>())
        .putIfAbsent(extension.getNumber(), extension.getFile());
  }

  /** The full names of all services, sorted. */
  SortedSet<String> serviceNames() {
    return Collections.unmodifiableSortedSet(serviceNames);
  }

  /** The file of a name, or {@code null}. */
  FileDescriptor file(String name) {
    return files.get(name);
  }

  /**
   * The file that declares a service, method, message, enum or extension, or {@code null}.
   *
   * @param symbol a full name, without a leading dot
   */
  FileDescriptor fileOfSymbol(String symbol) {
    return symbols.get(symbol);
  }

  /** The file that declares an extension of a message, or {@code null}. */
  FileDescriptor fileOfExtension(String message, int number) {
    NavigableMap<Integer, FileDescriptor> known = extensions.get(message);
    return known == null ? null : known.get(number);
  }

  /** Whether a message has this full name. */
  boolean isMessage(String name) {
    return messages.contains(name);
  }

  /** The numbers of the extensions of a message, ascending. */
  Set<Integer> extensionNumbers(String message) {
    NavigableMap<Integer, FileDescriptor> known = extensions.get(message);
    return known == null ? Set.of() : Collections.unmodifiableSet(known.navigableKeySet());
  }

  /** A file as a {@code FileDescriptorProto}. */
  ByteString encoded(FileDescriptor file) {
    return encoded.computeIfAbsent(file, f -> f.toProto().toByteString());
  }
}
