package dev.peregrine.protoc;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.GeneratorNames;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Confined to one request. The files of a request, linked, and the Java classes they become. */
final class ProtoFiles {

  private final Map<String, FileDescriptor> files = new LinkedHashMap<>();

  /** Simple names of the top-level classes that protoc makes, by Java package. */
  private final Map<String, Set<String>> classes = new HashMap<>();

  private ProtoFiles() {}

  /**
   * Links the files of a request.
   *
   * @throws GeneratorException if they do not fit together
   */
  static ProtoFiles of(CodeGeneratorRequest request) throws GeneratorException {
    // plugin.proto: options with source retention, among them the Java features that decide names,
    // are absent from proto_file for the files to generate, and kept in source_file_descriptors.
    Map<String, FileDescriptorProto> complete = new HashMap<>();
    for (FileDescriptorProto file : request.getSourceFileDescriptorsList()) {
      complete.put(file.getName(), file);
    }
    ProtoFiles linked = new ProtoFiles();
    for (FileDescriptorProto file : request.getProtoFileList()) {
      linked.link(complete.getOrDefault(file.getName(), file));
    }
    return linked;
  }

  private void link(FileDescriptorProto proto) throws GeneratorException {
    List<FileDescriptor> dependencies = new ArrayList<>();
    for (String dependency : proto.getDependencyList()) {
      dependencies.add(named(dependency));
    }
    try {
      FileDescriptor file =
          FileDescriptor.buildFrom(proto, dependencies.toArray(new FileDescriptor[0]));
      files.put(proto.getName(), file);
      collectClasses(file);
    } catch (DescriptorValidationException e) {
      throw new GeneratorException(proto.getName() + ": " + e.getMessage());
    }
  }

  private void collectClasses(FileDescriptor file) {
    String javaPackage = javaPackage(file);
    Set<String> names = classes.computeIfAbsent(javaPackage, unused -> new TreeSet<>());
    names.add(JavaNames.simple(GeneratorNames.getFileClassName(file)));
    for (Descriptor message : file.getMessageTypes()) {
      names.add(JavaNames.outermost(GeneratorNames.getQualifiedClassName(message), javaPackage));
    }
    for (EnumDescriptor type : file.getEnumTypes()) {
      names.add(JavaNames.outermost(GeneratorNames.getQualifiedClassName(type), javaPackage));
    }
    if (file.getOptions().getJavaGenericServices()) {
      for (ServiceDescriptor service : file.getServices()) {
        names.add(JavaNames.outermost(GeneratorNames.getQualifiedClassName(service), javaPackage));
      }
    }
  }

  /** The Java package of a file; empty for the unnamed one. */
  static String javaPackage(FileDescriptor file) {
    return GeneratorNames.getFileJavaPackage(file);
  }

  /**
   * A file by its name.
   *
   * @throws GeneratorException if protoc did not send it
   */
  FileDescriptor named(String name) throws GeneratorException {
    FileDescriptor file = files.get(name);
    if (file == null) {
      throw new GeneratorException(name + " is missing from the request of protoc");
    }
    return file;
  }

  /** All files, imported ones first. */
  Collection<FileDescriptor> all() {
    return files.values();
  }

  /** Simple names of the top-level classes that protoc makes in a Java package, as far as known. */
  Set<String> classesIn(String javaPackage) {
    return classes.getOrDefault(javaPackage, Set.of());
  }
}
