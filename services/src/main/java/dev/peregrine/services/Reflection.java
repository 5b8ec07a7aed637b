package dev.peregrine.services;

import com.google.protobuf.Descriptors.FileDescriptor;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServerLifecycle;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.services.reflection.v1.ReflectionProto;
import dev.peregrine.services.reflection.v1.ServerReflectionRequest;
import dev.peregrine.services.reflection.v1.ServerReflectionResponse;
import dev.peregrine.services.reflection.v1.ServerReflectionService;
import dev.peregrine.services.reflection.v1alpha.ReflectionV1AlphaProto;
import java.util.List;

/**
 * Any thread. Tells tools such as grpcurl what the server serves and how its messages look: the
 * service {@code ServerReflection} of {@code grpc.reflection.v1} and, for older tools, of {@code
 * grpc.reflection.v1alpha}.
 *
 * <p>It learns of the server's services when the server starts. Services that were defined without
 * a descriptor are listed, but cannot be described. One server each.
 *
 * <p>Its handlers never block: it may be added with any execution, inline as well.
 */
public final class Reflection implements Service, ServerLifecycle {

  /** The older name: the same messages, byte by byte, so one handler serves both. */
  private static final Method<ServerReflectionRequest, ServerReflectionResponse> V1ALPHA =
      Method.bidiStreaming(
          "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
          ServerReflectionRequest.getDefaultInstance(),
          ServerReflectionResponse.getDefaultInstance());

  private final List<FileDescriptor> moreFiles;
  private volatile List<ServiceDefinition> services = List.of();
  private volatile DescriptorIndex index;

  /**
   * For one server.
   *
   * @param moreFiles files that no service leads to by its imports, yet clients may ask for: such
   *     as declare extensions, or what travels in a {@code google.protobuf.Any}; usually none
   */
  public Reflection(FileDescriptor... moreFiles) {
    this.moreFiles = List.of(moreFiles);
  }

  @Override
  public void onStart(List<ServiceDefinition> services) {
    this.services = List.copyOf(services);
    this.index = null;
  }

  @Override
  public ServiceDefinition definition() {
    return ServiceDefinition.of(
            ServerReflectionService.SERVER_REFLECTION_INFO.serviceName(),
            ReflectionProto::getDescriptor)
        .eventDriven(ServerReflectionService.SERVER_REFLECTION_INFO, handler());
  }

  @Override
  public List<ServiceDefinition> definitions() {
    ServiceDefinition v1alpha =
        ServiceDefinition.of(V1ALPHA.serviceName(), ReflectionV1AlphaProto::getDescriptor)
            .eventDriven(V1ALPHA, handler());
    return List.of(definition(), v1alpha);
  }

  private Handler.EventDriven<ServerReflectionRequest, ServerReflectionResponse> handler() {
    return call -> new ReflectionCall(call, index());
  }

  /** Made when it is first needed: most servers are started far more often than asked. */
  private DescriptorIndex index() {
    DescriptorIndex current = index;
    if (current == null) {
      // Two threads may both make one; they are the same.
      current = new DescriptorIndex(services, moreFiles);
      index = current;
    }
    return current;
  }
}
