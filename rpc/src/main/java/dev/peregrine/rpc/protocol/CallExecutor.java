package dev.peregrine.rpc.protocol;

/** Runs the handlers of calls; what an {@code Execution} becomes once a server is built. */
interface CallExecutor extends AutoCloseable {

  /**
   * Runs calls, linked from the first to the last by {@link HandlerTask#nextQueued}. Called by
   * event loops. Must tell a call that will never run by {@link HandlerTask#rejected}.
   */
  void submit(HandlerTask first, HandlerTask last);

  /** Ends the threads that belong to it, once they have run what was submitted. */
  @Override
  void close();
}
