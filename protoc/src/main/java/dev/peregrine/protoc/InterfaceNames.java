package dev.peregrine.protoc;

import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Confined to one request. The names of the interfaces, and of the classes beside them.
 *
 * <p>{@code Greeter} becomes {@code GreeterService}; {@code GreeterService} keeps its name. Where
 * protoc makes a class of that name in the same Java package (a message, or the class of {@code
 * greeter_service.proto}), or another service took it, {@code GreeterRpc} is used instead.
 */
final class InterfaceNames {

  private static final String SUFFIX = "Service";
  private static final String SUFFIX_ON_CLASH = "Rpc";

  private static final String COMMENTS = "Comments";

  private final Map<String, String> byService = new HashMap<>();
  private final Map<String, String> commentsByService = new HashMap<>();

  private InterfaceNames() {}

  /** Names the services of all files, also of those not generated now: they exist elsewhere. */
  static InterfaceNames of(ProtoFiles files) {
    InterfaceNames names = new InterfaceNames();
    Map<String, Set<String>> takenByPackage = new HashMap<>();
    names.chooseInterfaces(files, takenByPackage);
    for (FileDescriptor file : files.all()) {
      Set<String> taken = takenByPackage.get(ProtoFiles.javaPackage(file));
      for (ServiceDescriptor service : file.getServices()) {
        names.commentsByService.put(
            service.getFullName(), free(names.of(service) + COMMENTS, taken));
      }
    }
    return names;
  }

  private void chooseInterfaces(ProtoFiles files, Map<String, Set<String>> takenByPackage) {
    for (boolean suffixed : new boolean[] {true, false}) {
      for (FileDescriptor file : files.all()) {
        Set<String> taken =
            takenByPackage.computeIfAbsent(
                ProtoFiles.javaPackage(file), p -> taken(files.classesIn(p)));
        for (ServiceDescriptor service : file.getServices()) {
          String camel = JavaNames.upperCamel(service.getName());
          // Services that end in "Service" come first: theirs is the better claim to their name.
          if (camel.endsWith(SUFFIX) == suffixed) {
            byService.put(service.getFullName(), choose(camel, suffixed, taken));
          }
        }
      }
    }
  }

  private static Set<String> taken(Set<String> classes) {
    Set<String> taken = new HashSet<>();
    for (String name : classes) {
      taken.add(fileName(name));
    }
    // An interface called Service would hide the one it extends.
    taken.add(fileName(SUFFIX));
    return taken;
  }

  private static String choose(String camel, boolean suffixed, Set<String> taken) {
    String name = suffixed ? camel : camel + SUFFIX;
    return taken.add(fileName(name)) ? name : free(camel + SUFFIX_ON_CLASH, taken);
  }

  private static String free(String wanted, Set<String> taken) {
    String name = wanted;
    while (!taken.add(fileName(name))) {
      name += "_";
    }
    return name;
  }

  /** Names that differ in case alone are one file on many disks. */
  private static String fileName(String className) {
    return className.toLowerCase(Locale.ROOT);
  }

  /** The simple name of a service's interface. */
  String of(ServiceDescriptor service) {
    return byService.get(service.getFullName());
  }

  /** The simple name of the class that holds a service's comments. */
  String ofComments(ServiceDescriptor service) {
    return commentsByService.get(service.getFullName());
  }
}
