package dev.peregrine.bench.streaming;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.server.Server;
import dev.peregrine.server.ServerBuilder;

/** Main thread. Serves until killed: {@code PORT inline|workers|virtual}. */
public final class StreamsServer {

  /** Above the 10 MB that are measured. */
  private static final int MAX_MESSAGE_BYTES = 16 << 20;

  /** A thread for each stream that is measured: blocking handlers keep theirs. */
  private static final int WORKERS = 100;

  private StreamsServer() {}

  /** Starts the server. */
  public static void main(String[] args) throws InterruptedException {
    ServerBuilder builder =
        Server.builder()
            .port(Integer.parseInt(args[0]))
            .loops(1)
            .limits(Limits.DEFAULTS.withMaxRequestBytes(MAX_MESSAGE_BYTES));
    switch (args[1]) {
      case "inline" -> builder.add(new EventDriven(), Execution.inline());
      case "workers" -> builder.add(new Blocking(), Execution.workers(WORKERS));
      case "virtual" -> builder.add(new Blocking(), Execution.virtualThreads());
      default -> throw new IllegalArgumentException(args[1]);
    }
    builder.start().awaitTermination();
  }
}
