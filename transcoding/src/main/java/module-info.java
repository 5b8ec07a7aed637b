/**
 * Plain HTTP and JSON by {@code google.api.http} annotations.
 *
 * <p>Google's artifact declares no module name, so this requires the one that the JDK derives from
 * its file name, see docs/decisions/0003.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.peregrine.transcoding {
  requires transitive dev.peregrine.rpc;
  requires transitive proto.google.common.protos;
  requires transitive dev.peregrine.json;
  requires com.google.protobuf;
  requires com.google.protobuf.util;

  exports dev.peregrine.transcoding;
}
