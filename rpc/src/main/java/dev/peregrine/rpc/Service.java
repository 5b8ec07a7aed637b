package dev.peregrine.rpc;

import java.util.List;

/**
 * Something that answers calls. Generated interfaces extend this and implement {@link #definition};
 * a class that implements such an interface is all a server needs.
 */
public interface Service {

  /**
   * The methods with their handlers.
   *
   * @return a fresh definition, which the caller may extend
   */
  ServiceDefinition definition();

  /**
   * Everything this object serves: for most, its one {@link #definition}. Overridden by what goes
   * by several names. This, not {@link #definition}, is what the server reads.
   *
   * @return fresh definitions, at least one
   */
  default List<ServiceDefinition> definitions() {
    return List.of(definition());
  }
}
