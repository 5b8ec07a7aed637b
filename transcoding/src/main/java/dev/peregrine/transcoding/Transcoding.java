package dev.peregrine.transcoding;

import com.google.api.HttpRule;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import dev.peregrine.json.Json;
import dev.peregrine.rpc.HttpMapping;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServiceDefinition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Answers plain HTTP requests with JSON, for all served methods that carry a {@code
 * google.api.http} annotation. Give it to the server's builder. Immutable, any thread.
 *
 * <p>Methods without an annotation, and services without a descriptor, are left alone. Methods that
 * take a stream of requests are refused when they are called.
 */
public final class Transcoding implements HttpMapping {

  private final Json json;
  private final boolean ignoreUnknown;
  private final List<HttpRule> rules;

  /** The defaults: nothing unknown is ignored, in JSON or in queries. */
  public Transcoding() {
    this(new Json(), false, List.of());
  }

  private Transcoding(Json json, boolean ignoreUnknown, List<HttpRule> rules) {
    this.json = json;
    this.ignoreUnknown = ignoreUnknown;
    this.rules = rules;
  }

  /** The same with other choices for JSON. */
  public Transcoding withJson(Json choices) {
    return new Transcoding(choices, ignoreUnknown, rules);
  }

  /** The same, but query parameters which name no field of the request are ignored. */
  public Transcoding ignoringUnknownParameters() {
    return new Transcoding(json, true, rules);
  }

  /**
   * The same with further rules, for .proto files which you cannot change.
   *
   * @param more each with the full name of a method as its {@code selector}; they replace the
   *     annotation of that method
   */
  public Transcoding withRules(HttpRule... more) {
    List<HttpRule> all = new ArrayList<>(rules);
    all.addAll(List.of(more));
    return new Transcoding(json, ignoreUnknown, List.copyOf(all));
  }

  @Override
  public Table map(List<ServiceDefinition> services) {
    Rules all = new Rules(rules);
    List<Descriptor> types = new ArrayList<>();
    for (ServiceDefinition service : services) {
      service.descriptor().ifPresent(file -> types.addAll(file.getMessageTypes()));
    }
    RouteTable table = new RouteTable(new StatusJson(json, types.toArray(new Descriptor[0])));
    Set<String> described = new HashSet<>();
    for (ServiceDefinition service : services) {
      Optional<ServiceDescriptor> descriptor = service.descriptor().map(file -> in(file, service));
      if (descriptor.isPresent()) {
        addAll(table, service, descriptor.get(), all);
        descriptor.get().getMethods().forEach(method -> described.add(method.getFullName()));
      }
    }
    if (!all.without(described).isEmpty()) {
      throw new IllegalArgumentException(
          "no service with a descriptor has the method of a rule: "
              + String.join(", ", all.without(described)));
    }
    return table;
  }

  private static ServiceDescriptor in(FileDescriptor file, ServiceDefinition service) {
    for (ServiceDescriptor candidate : file.getServices()) {
      if (candidate.getFullName().equals(service.name())) {
        return candidate;
      }
    }
    return null;
  }

  private void addAll(
      RouteTable table, ServiceDefinition service, ServiceDescriptor descriptor, Rules all) {
    for (ServiceDefinition.Binding<?, ?> binding : service.bindings()) {
      MethodDescriptor method = descriptor.findMethodByName(binding.method().name());
      if (method != null) {
        add(table, binding.method(), method, all);
      }
    }
  }

  private <Q, R> void add(
      RouteTable table, Method<Q, R> method, MethodDescriptor descriptor, Rules all) {
    Messages<Q, R> messages = Messages.of(method, descriptor);
    for (HttpRule rule : all.of(descriptor)) {
      try {
        table.add(new Route<>(messages, rule, json, ignoreUnknown));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "the google.api.http rule of " + method + ": " + e.getMessage(), e);
      }
    }
  }
}
