/**
 * Streams into calls: gRPC semantics and the API that services are written against.
 *
 * <p>Public is {@code dev.peregrine.rpc}; {@code dev.peregrine.rpc.protocol} is internal.
 */
@SuppressWarnings("module") // some friends are separate artifacts, absent when this one is compiled
module dev.peregrine.rpc {
  requires static jdk.jfr; // the server runs without it, see FlightRecording
  requires dev.peregrine.wire;
  requires transitive com.google.protobuf;

  uses dev.peregrine.rpc.CodecFactory;

  exports dev.peregrine.rpc;
  exports dev.peregrine.rpc.protocol to
      dev.peregrine.server,
      dev.peregrine.http3;
}
