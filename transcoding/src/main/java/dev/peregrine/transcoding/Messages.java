package dev.peregrine.transcoding;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.MalformedMessageException;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ProtobufCodec;
import dev.peregrine.rpc.Status;

/**
 * A method's messages as protobuf messages, whatever its handler is given: where they have classes
 * of another kind, their binary encoding is what both know. Immutable, any thread.
 *
 * @param request the default instance of requests
 * @param response the default instance of responses
 */
record Messages<Q, R>(Method<Q, R> method, Message request, Message response) {

  static <Q, R> Messages<Q, R> of(Method<Q, R> method, MethodDescriptor descriptor) {
    Message request = prototype(method.requestCodec());
    Message response = prototype(method.responseCodec());
    return new Messages<>(
        method,
        request == null ? DynamicMessage.getDefaultInstance(descriptor.getInputType()) : request,
        response == null
            ? DynamicMessage.getDefaultInstance(descriptor.getOutputType())
            : response);
  }

  private static Message prototype(Codec<?> codec) {
    return codec instanceof ProtobufCodec<?> protobuf
            && protobuf.prototype() instanceof Message message
        ? message
        : null;
  }

  /** What the handler is given for a request. */
  @SuppressWarnings("unchecked") // made by a builder of the codec's own prototype
  Q toRequest(Message message) throws MalformedMessageException {
    if (request == prototype(method.requestCodec())) {
      return (Q) message;
    }
    byte[] bytes = message.toByteArray();
    return method.requestCodec().decode(bytes, 0, bytes.length);
  }

  /** The message of what the handler has returned. */
  Message fromResponse(R message) {
    if (message instanceof Message already) {
      return already;
    }
    try {
      return response
          .newBuilderForType()
          .mergeFrom(method.responseCodec().toBytes(message))
          .build();
    } catch (InvalidProtocolBufferException e) {
      throw Status.INTERNAL.withMessage("a response is not protobuf").exception();
    }
  }
}
