package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.HttpVersion;
import dev.peregrine.wire.StreamListener;

/** gRPC-Web (PROTOCOL-WEB) with one codec, binary, over any version of HTTP. Any thread. */
final class GrpcWebProtocol extends GrpcProtocol {

  private static final String PREFIX = "application/grpc-web";

  GrpcWebProtocol(String subtype, boolean isDefault, Codings codings) {
    super(PREFIX, subtype, isDefault, codings);
  }

  @Override
  public String name() {
    return "grpc-web";
  }

  @Override
  Opening unfit(BoundMethod<?, ?> method, HttpVersion version) {
    return method == null ? null : Refusal.ifBidi(method, version);
  }

  @Override
  public <Q, R> StreamListener open(HttpStream stream, RequestHead<Q, R> head, boolean end) {
    GrpcWebCall<Q, R> call = new GrpcWebCall<>(stream, head);
    call.begin(end);
    return call;
  }
}
