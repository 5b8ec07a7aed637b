package dev.peregrine.rpc;

/**
 * Something that answers calls. Generated interfaces extend this and implement {@link #definition};
 * a class that implements such an interface is all a server needs.
 */
public interface Service {

  /**
   * The methods with their handlers. Read once, when the server is built.
   *
   * @return a fresh definition, which the caller may extend
   */
  ServiceDefinition definition();
}
