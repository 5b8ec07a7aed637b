package dev.peregrine.protoc;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.GeneratorNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Any thread. Finds Java names for the methods of a service, all different. */
final class Rpcs {

  /** Methods of {@code Object} and {@code Service}: an overload of one would mislead. */
  private static final Set<String> INHERITED =
      Set.of(
          "clone",
          "definition",
          "definitions",
          "equals",
          "finalize",
          "getClass",
          "hashCode",
          "notify",
          "notifyAll",
          "toString",
          "wait");

  private Rpcs() {}

  /** The methods of a service, in their order. */
  static List<Rpc> of(ServiceDescriptor service, TypeNames types) throws GeneratorException {
    List<String> requests = new ArrayList<>();
    List<String> responses = new ArrayList<>();
    for (MethodDescriptor method : service.getMethods()) {
      requests.add(name(method.getInputType(), types));
      responses.add(name(method.getOutputType(), types));
    }
    Set<String> takenNames = new HashSet<>(INHERITED);
    // JLS 6.4.2: a field obscures a type or package of its name.
    Set<String> takenConstants = new HashSet<>(types.firstParts());
    List<Rpc> rpcs = new ArrayList<>();
    for (MethodDescriptor method : service.getMethods()) {
      String name = JavaNames.lowerCamel(method.getName());
      rpcs.add(
          new Rpc(
              method,
              free(JavaNames.isKeyword(name) ? name + "_" : name, takenNames),
              free(JavaNames.constant(method.getName()), takenConstants),
              requests.get(method.getIndex()),
              responses.get(method.getIndex())));
    }
    return rpcs;
  }

  private static String name(Descriptor message, TypeNames types) throws GeneratorException {
    return types.name(
        ProtoFiles.javaPackage(message.getFile()), GeneratorNames.getQualifiedClassName(message));
  }

  private static String free(String wanted, Set<String> taken) {
    String name = wanted;
    while (!taken.add(name)) {
      name += "_";
    }
    return name;
  }
}
