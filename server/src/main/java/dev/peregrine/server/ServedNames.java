package dev.peregrine.server;

import dev.peregrine.rpc.protocol.Routes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What can be had of a server at one place: names of services, paths of endpoints, and {@link
 * Routes#ANY_OTHER_PATH}. Immutable, any thread.
 *
 * @param names those that are served, or those that are not
 * @param only which of both
 */
record ServedNames(Set<String> names, boolean only) {

  /** Everything. */
  static final ServedNames ALL = new ServedNames(Set.of(), false);

  boolean contains(String name) {
    return names.contains(name) == only;
  }

  /**
   * Looks for mistakes: a misspelt name could let everybody have what only some should.
   *
   * @throws IllegalArgumentException naming one that nothing is served by
   */
  void check(Routes routes) {
    for (String name : names) {
      if (!routes.knows(name)) {
        throw new IllegalArgumentException(
            "nothing is served by the name \"" + name + "\", which a ListenSocket has");
      }
    }
  }

  /** The endpoints among them. */
  Map<String, HttpEndpoint> of(Map<String, HttpEndpoint> endpoints) {
    Map<String, HttpEndpoint> served = new LinkedHashMap<>(endpoints);
    served.keySet().removeIf(path -> !contains(path));
    return served;
  }
}
