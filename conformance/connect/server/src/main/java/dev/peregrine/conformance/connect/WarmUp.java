package dev.peregrine.conformance.connect;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import connectrpc.conformance.v1.Service.ConformancePayload;
import connectrpc.conformance.v1.Service.ConformancePayload.RequestInfo;
import connectrpc.conformance.v1.Service.UnaryRequest;
import connectrpc.conformance.v1.Service.UnaryResponse;
import dev.peregrine.json.Json;
import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.MalformedMessageException;
import dev.peregrine.rpc.ProtobufCodec;

/**
 * Has the JVM load what the first calls need. The suite starts a server for a few hundred calls and
 * forgives half a second on those that measure time; loading the classes of JSON alone takes that
 * long on a machine that is busy. Main thread.
 */
final class WarmUp {

  private WarmUp() {}

  /** Writes and reads a message in each encoding. */
  static void run() {
    UnaryResponse response =
        UnaryResponse.newBuilder()
            .setPayload(
                ConformancePayload.newBuilder()
                    .setData(ByteString.copyFromUtf8("data"))
                    .setRequestInfo(
                        RequestInfo.newBuilder()
                            .addRequests(Any.pack(UnaryRequest.getDefaultInstance()))))
            .build();
    try {
      writeAndRead(ProtobufCodec.of(response), response);
      writeAndRead(new Json().codec(response), response);
    } catch (MalformedMessageException e) {
      throw new IllegalStateException("a message that was written cannot be read", e);
    }
  }

  private static <T> void writeAndRead(Codec<T> codec, T message)
      throws MalformedMessageException {
    byte[] plain = codec.toBytes(message);
    byte[] packed = Compressor.gzip().compress(plain, 0, plain.length);
    byte[] again = Compressor.gzip().decompress(packed, 0, packed.length, plain.length);
    T read = codec.decode(again, 0, again.length);
    if (!read.equals(message)) {
      throw new IllegalStateException("read " + read + " where this was written: " + message);
    }
  }
}
