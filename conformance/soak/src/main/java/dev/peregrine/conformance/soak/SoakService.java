package dev.peregrine.conformance.soak;

import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;

/** The five methods of one variant. Any thread. */
record SoakService(Variant variant) implements Service {

  private static final RawCodec BYTES = new RawCodec();

  @Override
  public ServiceDefinition definition() {
    Method<byte[], byte[]> unary = method(Variant.UNARY, Method.Kind.UNARY);
    Method<byte[], byte[]> park = method(Variant.PARK, Method.Kind.UNARY);
    Method<byte[], byte[]> download = method(Variant.DOWNLOAD, Method.Kind.SERVER_STREAMING);
    Method<byte[], byte[]> upload = method(Variant.UPLOAD, Method.Kind.CLIENT_STREAMING);
    Method<byte[], byte[]> chat = method(Variant.CHAT, Method.Kind.BIDI_STREAMING);
    ServiceDefinition definition = ServiceDefinition.of(Variant.PACKAGE + variant.name());
    return variant.events()
        ? definition
            .eventDriven(unary, EventHandlers::unary)
            .eventDriven(park, EventHandlers::park)
            .eventDriven(download, EventHandlers::download)
            .eventDriven(upload, EventHandlers::upload)
            .eventDriven(chat, EventHandlers::chat)
        : definition
            .unary(unary, BlockingHandlers::unary)
            .unary(park, BlockingHandlers::park)
            .serverStreaming(download, BlockingHandlers::download)
            .clientStreaming(upload, BlockingHandlers::upload)
            .bidiStreaming(chat, BlockingHandlers::chat);
  }

  private Method<byte[], byte[]> method(String name, Method.Kind kind) {
    return Method.of(Variant.PACKAGE + variant.name() + "/" + name, kind, BYTES, BYTES);
  }
}
