package dev.peregrine.conformance.grpcjava;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/**
 * Calls by path, over one channel of grpc-java. Any thread.
 *
 * <p>Written without generated stubs, so that one source runs with old and new versions of
 * grpc-java.
 */
final class ProbeClient implements AutoCloseable {

  /** The largest message the server takes: 4 MiB, as everywhere in the ecosystem. */
  static final int MESSAGE_LIMIT_BYTES = 4 << 20;

  private static final int TIMEOUT_SECONDS = 30;

  private final ManagedChannel channel;

  /** A client of one server, by whichever transport of grpc-java is on the class path. */
  ProbeClient(String host, int port) {
    channel =
        ManagedChannelBuilder.forAddress(host, port)
            .usePlaintext()
            .maxInboundMessageSize(2 * MESSAGE_LIMIT_BYTES)
            .build();
  }

  Channel channel() {
    return channel;
  }

  /** Calls and waits. Throws {@link io.grpc.StatusRuntimeException} when the call fails. */
  <R extends MessageLite> R call(Channel via, String path, MessageLite request, R replyType) {
    return ClientCalls.blockingUnaryCall(via, method(path, replyType), options(), request);
  }

  /** Calls without waiting. */
  <R extends MessageLite> ListenableFuture<R> start(String path, MessageLite request, R replyType) {
    return ClientCalls.futureUnaryCall(
        channel.newCall(method(path, replyType), options()), request);
  }

  /** Opens a call of any kind. */
  <R extends MessageLite> ClientCall<MessageLite, R> open(
      MethodDescriptor.MethodType type, String path, R replyType) {
    return channel.newCall(method(type, path, replyType), options());
  }

  @Override
  public void close() {
    channel.shutdown();
  }

  private static CallOptions options() {
    return CallOptions.DEFAULT.withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  private static <R extends MessageLite> MethodDescriptor<MessageLite, R> method(
      String path, R replyType) {
    return method(MethodDescriptor.MethodType.UNARY, path, replyType);
  }

  private static <R extends MessageLite> MethodDescriptor<MessageLite, R> method(
      MethodDescriptor.MethodType type, String path, R replyType) {
    return MethodDescriptor.<MessageLite, R>newBuilder()
        .setType(type)
        .setFullMethodName(path)
        .setRequestMarshaller(new MessageMarshaller<>(null))
        .setResponseMarshaller(new MessageMarshaller<>(replyType))
        .build();
  }

  /** Protobuf messages as bytes. Any thread. */
  private record MessageMarshaller<T extends MessageLite>(T type)
      implements MethodDescriptor.Marshaller<T> {

    @Override
    public InputStream stream(T value) {
      return value.toByteString().newInput();
    }

    @Override
    @SuppressWarnings("unchecked") // a parser makes messages of the type it was asked from
    public T parse(InputStream stream) {
      try {
        return (T) type.getParserForType().parseFrom(stream);
      } catch (InvalidProtocolBufferException e) {
        throw new UncheckedIOException(new IOException(e));
      }
    }
  }
}
