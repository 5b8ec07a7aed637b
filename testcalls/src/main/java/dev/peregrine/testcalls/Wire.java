package dev.peregrine.testcalls;

/** The wires by which {@link WireClient} calls. Any thread. */
public enum Wire {
  /** gRPC over HTTP/2. */
  GRPC("grpc", "application/grpc"),
  /** gRPC-Web over HTTP/1.1. */
  GRPC_WEB("grpc-web", "application/grpc-web+proto"),
  /** Connect over HTTP/1.1, in protobuf. */
  CONNECT("connect", "application/proto"),
  /** Connect over HTTP/1.1, in JSON. */
  CONNECT_JSON("connect", "application/json"),
  /** Bare protobuf over HTTP/1.1. */
  PLAIN("http", "application/x-protobuf"),
  /** A GET over HTTP/1.1 which {@link TalkMapping} takes for a call; unary ones only. */
  MAPPED("http", "");

  private final String protocol;
  private final String contentType;

  Wire(String protocol, String contentType) {
    this.protocol = protocol;
    this.contentType = contentType;
  }

  /** What observers are told. */
  public String protocol() {
    return protocol;
  }

  String contentType() {
    return contentType;
  }
}
