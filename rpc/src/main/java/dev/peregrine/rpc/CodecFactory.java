package dev.peregrine.rpc;

import com.google.protobuf.Message;

/**
 * Makes codecs for another encoding of protobuf messages, e.g. JSON. Found on the class or module
 * path through {@link java.util.ServiceLoader}. Any thread.
 */
public interface CodecFactory {

  /** The content sub-type it stands for, e.g. {@code json} in {@code application/grpc+json}. */
  String name();

  /** The codec for the type of a message. Called once per method, when it is first needed. */
  <T extends Message> Codec<T> codec(T prototype);
}
