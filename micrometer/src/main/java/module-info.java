/** Metrics of a server in a Micrometer registry. */
module dev.peregrine.micrometer {
  requires transitive dev.peregrine.rpc;
  requires transitive micrometer.core;

  exports dev.peregrine.micrometer;
}
