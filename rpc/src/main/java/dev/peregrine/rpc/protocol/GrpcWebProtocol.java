package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.HttpVersion;
import dev.peregrine.wire.StreamListener;

/** gRPC-Web (PROTOCOL-WEB) with one codec, over any version of HTTP. Any thread. */
final class GrpcWebProtocol extends GrpcProtocol {

  private static final String BINARY = "application/grpc-web";
  private static final String TEXT = "application/grpc-web-text";

  private final boolean text;

  /**
   * gRPC-Web with one codec.
   *
   * @param text whether all content is base64, for clients that cannot read bytes
   */
  GrpcWebProtocol(String subtype, boolean isDefault, Codings codings, boolean text) {
    super(text ? TEXT : BINARY, subtype, isDefault, codings);
    this.text = text;
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
    GrpcWebCall<Q, R> call =
        text ? new GrpcWebTextCall<>(stream, head) : new GrpcWebCall<>(stream, head);
    call.begin(end);
    return call;
  }
}
