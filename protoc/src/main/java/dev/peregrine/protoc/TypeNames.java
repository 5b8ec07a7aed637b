package dev.peregrine.protoc;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Confined to one file. How types are written in it: short where that is certain to mean the right
 * class, fully qualified where it is not.
 *
 * <p>A simple name belongs to the class of the same package, else to whoever asks first.
 */
final class TypeNames {

  private static final String RPC = "dev.peregrine.rpc";
  private static final String LANG = "java.lang";

  /** Types that generated code names beside messages: none of them leaves its short name to one. */
  private static final List<String> RPC_TYPES =
      List.of(
          "Context", "Method", "Requests", "Responses", "Service", "ServiceDefinition", "Status");

  private static final List<String> LANG_TYPES =
      List.of("Deprecated", "Override", "String", "SuppressWarnings");

  private final String javaPackage;
  private final Set<String> neighbours;
  private final Map<String, String> ownerOfSimpleName = new HashMap<>();
  private final Set<String> imports = new TreeSet<>();
  private final Set<String> firstParts = new HashSet<>();

  /**
   * Names for a file of a package.
   *
   * @param neighbours simple names of the other classes of the package
   */
  TypeNames(String javaPackage, Set<String> neighbours) {
    this.javaPackage = javaPackage;
    this.neighbours = neighbours;
    RPC_TYPES.forEach(simple -> reserve(simple, RPC + "." + simple));
    LANG_TYPES.forEach(simple -> reserve(simple, LANG + "." + simple));
  }

  /** Keeps a simple name for a class, unless a neighbour has it. */
  void reserve(String simple, String qualified) {
    if (!neighbours.contains(simple)) {
      ownerOfSimpleName.putIfAbsent(simple, qualified);
    }
  }

  /** How a type of {@code dev.peregrine.rpc} is written. */
  String rpc(String simple) throws GeneratorException {
    return name(RPC, RPC + "." + simple);
  }

  /** How a type of {@code java.lang} is written. */
  String lang(String simple) throws GeneratorException {
    return name(LANG, LANG + "." + simple);
  }

  /**
   * How a class is written.
   *
   * @param ofPackage its Java package
   * @param qualified its canonical name
   */
  String name(String ofPackage, String qualified) throws GeneratorException {
    if (ofPackage.isEmpty() && !javaPackage.isEmpty()) {
      throw new GeneratorException(
          qualified
              + " has no Java package, so "
              + javaPackage
              + " cannot name it: give its file a package or the option java_package");
    }
    String text = isShort(ofPackage, qualified) ? withoutPackage(ofPackage, qualified) : qualified;
    firstParts.add(JavaNames.firstPart(text));
    return text;
  }

  private boolean isShort(String ofPackage, String qualified) {
    String outermost = JavaNames.outermost(qualified, ofPackage);
    String outermostQualified = ofPackage.isEmpty() ? outermost : ofPackage + "." + outermost;
    boolean neighbour = ofPackage.equals(javaPackage);
    if (!neighbour && neighbours.contains(outermost)) {
      return false;
    }
    String owner = ownerOfSimpleName.putIfAbsent(outermost, outermostQualified);
    if (owner != null && !owner.equals(outermostQualified)) {
      return false;
    }
    if (!neighbour && !ofPackage.equals(LANG)) {
      imports.add(outermostQualified);
    }
    return true;
  }

  private static String withoutPackage(String ofPackage, String qualified) {
    return ofPackage.isEmpty() ? qualified : qualified.substring(ofPackage.length() + 1);
  }

  /** The first identifiers of all names given out: no constant may be called like one. */
  Set<String> firstParts() {
    return firstParts;
  }

  /** The classes to import, sorted. */
  Set<String> imports() {
    return imports;
  }
}
