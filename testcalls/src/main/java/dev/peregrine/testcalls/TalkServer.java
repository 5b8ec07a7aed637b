package dev.peregrine.testcalls;

import dev.peregrine.rpc.Execution;
import dev.peregrine.server.HttpResponse;
import dev.peregrine.server.Server;
import dev.peregrine.server.ServerBuilder;
import java.util.function.Consumer;

/** A server of {@link Talk}, its mapped path and a page, while some calls are made. One thread. */
public final class TalkServer {

  private static final int WORKERS = 4;

  private TalkServer() {}

  /** What a test does with the server. */
  public interface Calls {
    /** Makes them. */
    void make(WireClient client, int port) throws Exception;
  }

  /**
   * Makes some calls; everything about them is known once this returns, as the server has stopped.
   *
   * @param observed adds who observes
   */
  public static void serve(Talk talk, Consumer<ServerBuilder> observed, Calls calls)
      throws Exception {
    ServerBuilder builder =
        Server.builder()
            .port(0)
            .onTerm(false)
            .add(talk, Execution.workers(WORKERS))
            .httpMapping(new TalkMapping())
            .http("/page", request -> HttpResponse.text(200, "a page"));
    observed.accept(builder);
    try (Server server = builder.start()) {
      calls.make(new WireClient(server.port()), server.port());
    }
  }
}
