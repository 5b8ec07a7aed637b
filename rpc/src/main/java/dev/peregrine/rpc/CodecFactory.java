package dev.peregrine.rpc;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import java.util.Collection;

/**
 * Makes codecs for another encoding of protobuf messages, e.g. JSON. Found on the class or module
 * path through {@link java.util.ServiceLoader}. Any thread.
 */
public interface CodecFactory {

  /** The content sub-type it stands for, e.g. {@code json} in {@code application/grpc+json}. */
  String name();

  /** The codec for the type of a message. Called once per method, when it is first needed. */
  <T extends Message> Codec<T> codec(T prototype);

  /**
   * The same for a server.
   *
   * @param served the types of all messages of all methods that are served, for encodings which
   *     must know what {@code Any} holds
   */
  default <T extends Message> Codec<T> codec(T prototype, Collection<Descriptor> served) {
    return codec(prototype);
  }
}
