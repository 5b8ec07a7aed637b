/** A line for each call and request; needs nothing but the JDK. */
module dev.peregrine.accesslog {
  requires transitive dev.peregrine.rpc;

  exports dev.peregrine.accesslog;
}
