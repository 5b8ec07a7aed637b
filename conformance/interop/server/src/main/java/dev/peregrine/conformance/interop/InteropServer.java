package dev.peregrine.conformance.interop;

import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Service;
import dev.peregrine.server.Server;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** Serves the interop service on a port that the system chooses, until SIGTERM. Main thread. */
public final class InteropServer {

  /** The clients make a few calls at a time. */
  private static final int WORKERS = 16;

  /** very_large_request sends 10 MB. */
  private static final int MAX_REQUEST_BYTES = 16 * 1024 * 1024;

  private InteropServer() {}

  /**
   * Starts the server.
   *
   * @param args {@code blocking} or {@code events}; then {@code inline}, {@code workers}, {@code
   *     executor} or {@code virtual}
   */
  public static void main(String[] args) throws InterruptedException {
    if (args.length != 2) {
      throw new IllegalArgumentException("two arguments are needed: style and execution");
    }
    LoadReports reports = new LoadReports();
    Server server =
        Server.builder()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .limits(Limits.DEFAULTS.withMaxRequestBytes(MAX_REQUEST_BYTES))
            .compressors(new WitnessGzip(), Compressor.deflate())
            .execution(execution(args[1]))
            .add(service(args[0], reports))
            .add(reports)
            .start();
    System.out.println("listening on port " + server.port());
    server.awaitTermination();
  }

  private static Service service(String style, LoadReports reports) {
    return switch (style) {
      case "blocking" -> new BlockingTestService(reports);
      case "events" -> new EventDrivenTestService(reports);
      default -> throw new IllegalArgumentException("no style " + style);
    };
  }

  private static Execution execution(String name) {
    return switch (name) {
      case "inline" -> Execution.inline();
      case "workers" -> Execution.workers(WORKERS);
      case "executor" -> Execution.on(Executors.newCachedThreadPool());
      case "virtual" -> Execution.virtualThreads();
      default -> throw new IllegalArgumentException("no execution " + name);
    };
  }
}
