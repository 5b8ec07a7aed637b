package dev.peregrine.server;

/**
 * Drains a server when the JVM is asked to end: SIGTERM, SIGINT, {@link System#exit}. Any thread.
 */
final class TermHook {

  private final Thread thread;

  private TermHook(Thread thread) {
    this.thread = thread;
  }

  /** Installs a hook. */
  static TermHook install(Runnable drain) {
    TermHook hook = new TermHook(new Thread(drain, "peregrine-term"));
    Runtime.getRuntime().addShutdownHook(hook.thread);
    return hook;
  }

  /** Takes the hook away, so that a server which has ended can be forgotten. */
  void remove() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException e) {
      // The JVM is ending: most likely it is the hook that ends the server.
      Log.debug("the hook runs already", e);
    }
  }
}
