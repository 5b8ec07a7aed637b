package dev.peregrine.rpc;

import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A service's methods with their handlers. Built by one thread, read once when the server is built.
 *
 * <p>Adding a method again replaces its handler, so that a class can refine what a generated
 * interface defines.
 */
public final class ServiceDefinition {

  /**
   * A method with what answers it.
   *
   * @param <Q> the request message
   * @param <R> the response message
   */
  public record Binding<Q, R>(Method<Q, R> method, Handler<Q, R> handler) {}

  private final String name;
  private final Supplier<FileDescriptor> descriptor;
  private final Map<String, Binding<?, ?>> bindings = new LinkedHashMap<>();
  private Supplier<Map<String, String>> comments = Map::of;

  private ServiceDefinition(String name, Supplier<FileDescriptor> descriptor) {
    if (name.isEmpty() || name.indexOf('/') >= 0) {
      throw new IllegalArgumentException("\"" + name + "\" is not a service name");
    }
    this.name = name;
    this.descriptor = descriptor;
  }

  /**
   * A service without methods yet.
   *
   * @param name {@code package.Service}
   */
  public static ServiceDefinition of(String name) {
    return new ServiceDefinition(name, null);
  }

  /**
   * A service without methods yet, which reflection can describe.
   *
   * @param name {@code package.Service}
   * @param descriptor the file that declares the service; asked for only when it is needed
   */
  public static ServiceDefinition of(String name, Supplier<FileDescriptor> descriptor) {
    return new ServiceDefinition(name, Objects.requireNonNull(descriptor));
  }

  /**
   * Says what the .proto files say about the service, its methods, and the messages and enums they
   * lead to: descriptors in Java code have no comments.
   *
   * @param comments by full name ({@code package.Message.field}); asked for only when it is needed
   */
  public ServiceDefinition comments(Supplier<Map<String, String>> comments) {
    this.comments = Objects.requireNonNull(comments, "comments");
    return this;
  }

  /** Adds a unary method. */
  public <Q, R> ServiceDefinition unary(Method<Q, R> method, Handler.Unary<Q, R> handler) {
    return bind(method, handler, Method.Kind.UNARY);
  }

  /** Adds a unary method whose waiting calls are answered together. */
  public <Q, R> ServiceDefinition unaryBatch(
      Method<Q, R> method, Handler.UnaryBatch<Q, R> handler) {
    return bind(method, handler, Method.Kind.UNARY);
  }

  /** Adds a server-streaming method in blocking style. */
  public <Q, R> ServiceDefinition serverStreaming(
      Method<Q, R> method, Handler.ServerStreaming<Q, R> handler) {
    Handler.Streaming<Q, R> streaming =
        (requests, responses, context) -> handler.handle(requests.next(), responses, context);
    return bind(method, streaming, Method.Kind.SERVER_STREAMING);
  }

  /** Adds a client-streaming method in blocking style. */
  public <Q, R> ServiceDefinition clientStreaming(
      Method<Q, R> method, Handler.ClientStreaming<Q, R> handler) {
    Handler.Streaming<Q, R> streaming =
        (requests, responses, context) -> responses.send(handler.handle(requests, context));
    return bind(method, streaming, Method.Kind.CLIENT_STREAMING);
  }

  /** Adds a bidirectional streaming method in blocking style. */
  public <Q, R> ServiceDefinition bidiStreaming(
      Method<Q, R> method, Handler.Streaming<Q, R> handler) {
    return bind(method, handler, Method.Kind.BIDI_STREAMING);
  }

  /** Adds a method of any kind in event-driven style. */
  public <Q, R> ServiceDefinition eventDriven(
      Method<Q, R> method, Handler.EventDriven<Q, R> handler) {
    return bind(method, handler, method.kind());
  }

  private <Q, R> ServiceDefinition bind(
      Method<Q, R> method, Handler<Q, R> handler, Method.Kind kind) {
    Objects.requireNonNull(handler, "handler");
    if (!method.serviceName().equals(name)) {
      throw new IllegalArgumentException(method + " is not a method of " + name);
    }
    if (method.kind() != kind) {
      throw new IllegalArgumentException(method + " is " + method.kind() + ", not " + kind);
    }
    bindings.put(method.name(), new Binding<>(method, handler));
    return this;
  }

  /** {@code package.Service}. */
  public String name() {
    return name;
  }

  /** The file that declares the service, where known. */
  public Optional<FileDescriptor> descriptor() {
    return descriptor == null ? Optional.empty() : Optional.of(descriptor.get());
  }

  /** Comments by full name, for people: plain text, with line breaks. Empty if none are known. */
  public Map<String, String> comments() {
    return comments.get();
  }

  /** The methods with their handlers, in the order in which they were added. */
  public Collection<Binding<?, ?>> bindings() {
    return Collections.unmodifiableCollection(bindings.values());
  }
}
