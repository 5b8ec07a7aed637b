package dev.peregrine.conformance.soak;

/**
 * What the server holds, after a collection.
 *
 * @param started calls begun so far
 * @param open calls begun and not ended
 * @param refused calls refused before a handler could run
 * @param connections open connections
 * @param threads live platform threads
 * @param heapBytes the live heap
 */
record ServerState(
    long started, long open, long refused, int connections, int threads, long heapBytes) {

  /** From one line, as {@link #toString} made it. */
  static ServerState of(String line) {
    String[] fields = line.split(" ", -1);
    return new ServerState(
        Long.parseLong(fields[0]),
        Long.parseLong(fields[1]),
        Long.parseLong(fields[2]),
        Integer.parseInt(fields[3]),
        Integer.parseInt(fields[4]),
        Long.parseLong(fields[5]));
  }

  /** Whether nobody calls and nobody is connected. */
  boolean isIdle() {
    return open == 0 && connections == 0;
  }

  @Override
  public String toString() {
    return started
        + " "
        + open
        + " "
        + refused
        + " "
        + connections
        + " "
        + threads
        + " "
        + heapBytes;
  }
}
