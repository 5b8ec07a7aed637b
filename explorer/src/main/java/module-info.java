/** A page that lists what a server serves, and calls it from the browser. */
module dev.peregrine.explorer {
  requires transitive dev.peregrine.server;
  requires com.google.protobuf;

  exports dev.peregrine.explorer;
}
