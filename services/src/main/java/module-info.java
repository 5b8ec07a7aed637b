/** Standard services, written against the public API alone: health and reflection. */
module dev.peregrine.services {
  requires transitive dev.peregrine.rpc;

  exports dev.peregrine.services;

  // protobuf-java reads generated messages by reflection; nobody else should see them.
  exports dev.peregrine.services.health.v1 to
      com.google.protobuf;
  exports dev.peregrine.services.reflection.v1 to
      com.google.protobuf;
  exports dev.peregrine.services.reflection.v1alpha to
      com.google.protobuf;
}
