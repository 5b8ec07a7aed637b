package dev.peregrine.transcoding;

import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import com.google.protobuf.DescriptorProtos.MethodOptions;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.ExtensionRegistry;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The rules of methods: those given, or else the methods' annotations. Immutable, any thread. */
final class Rules {

  private static final ExtensionRegistry ANNOTATIONS = annotations();

  private final Map<String, List<HttpRule>> given = new TreeMap<>();

  /**
   * Rules.
   *
   * @param given each with a selector; they replace the annotations of the methods they select
   */
  Rules(List<HttpRule> given) {
    for (HttpRule rule : given) {
      this.given.computeIfAbsent(rule.getSelector(), key -> new ArrayList<>()).add(rule);
    }
  }

  private static ExtensionRegistry annotations() {
    ExtensionRegistry registry = ExtensionRegistry.newInstance();
    AnnotationsProto.registerAllExtensions(registry);
    return registry.getUnmodifiable();
  }

  /** All rules of a method, additional bindings included. */
  List<HttpRule> of(MethodDescriptor method) {
    List<HttpRule> all = new ArrayList<>();
    for (HttpRule rule : given.getOrDefault(method.getFullName(), annotationOf(method))) {
      all.add(rule);
      all.addAll(rule.getAdditionalBindingsList());
    }
    return all;
  }

  /** The methods which were given rules, but are not among some. */
  Set<String> without(Collection<String> methods) {
    Set<String> others = new TreeSet<>(given.keySet());
    others.removeAll(methods);
    return others;
  }

  private static List<HttpRule> annotationOf(MethodDescriptor method) {
    MethodOptions options = method.getOptions();
    try {
      // Who built the descriptor may not have known the annotation: so all are read again.
      options = MethodOptions.parseFrom(options.toByteString(), ANNOTATIONS);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(
          "the google.api.http annotation of " + method.getFullName() + " cannot be read");
    }
    return options.hasExtension(AnnotationsProto.http)
        ? List.of(options.getExtension(AnnotationsProto.http))
        : List.of();
  }
}
