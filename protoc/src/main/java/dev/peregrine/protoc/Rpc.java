package dev.peregrine.protoc;

import com.google.protobuf.DescriptorProtos.MethodOptions.IdempotencyLevel;
import com.google.protobuf.Descriptors.MethodDescriptor;

/**
 * Any thread. One method of a service, with its names in Java.
 *
 * @param descriptor the method
 * @param name the Java method
 * @param constant the constant that holds its description
 * @param request the request type, as written
 * @param response the response type, as written
 */
record Rpc(
    MethodDescriptor descriptor, String name, String constant, String request, String response) {

  /** The factory of {@code Method} and the binder of {@code ServiceDefinition}. */
  String kind() {
    if (descriptor.isClientStreaming()) {
      return descriptor.isServerStreaming() ? "bidiStreaming" : "clientStreaming";
    }
    return descriptor.isServerStreaming() ? "serverStreaming" : "unary";
  }

  String fullName() {
    return descriptor.getService().getFullName() + "/" + descriptor.getName();
  }

  boolean deprecated() {
    return descriptor.getOptions().getDeprecated();
  }

  boolean noSideEffects() {
    return descriptor.getOptions().getIdempotencyLevel() == IdempotencyLevel.NO_SIDE_EFFECTS;
  }
}
