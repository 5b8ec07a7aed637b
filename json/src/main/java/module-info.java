/** The JSON mapping of protobuf as a codec. */
module dev.peregrine.json {
  requires transitive dev.peregrine.rpc;
  requires transitive com.google.protobuf;
  requires com.google.gson;
  requires com.google.protobuf.util;

  exports dev.peregrine.json;

  provides dev.peregrine.rpc.CodecFactory with
      dev.peregrine.json.Json;
}
