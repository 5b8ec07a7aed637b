package dev.peregrine.examples;

import dev.peregrine.explorer.Explorer;
import dev.peregrine.rpc.Execution;
import dev.peregrine.server.Server;
import dev.peregrine.server.ServerBuilder;
import dev.peregrine.server.ServerStartException;
import java.util.List;

/** Main thread only. Serves both greeters until it is told to end: {@code --help} has the flags. */
public final class HelloWorld {

  private static final int EXIT_NOT_STARTED = 1;
  private static final int EXIT_USAGE = 2;

  private HelloWorld() {}

  /**
   * Starts the server and waits for its end.
   *
   * @param args see {@code --help}
   * @throws InterruptedException if the main thread is interrupted
   */
  public static void main(String[] args) throws InterruptedException {
    Server server = startOrExit(List.of(args));
    server.awaitTermination();
  }

  /** Starts the server and prints where; prints one sentence and exits if that cannot be. */
  static Server startOrExit(List<String> arguments) {
    try {
      HelloOptions options = HelloOptions.parse(arguments);
      if (options.help()) {
        System.out.print(HelloOptions.USAGE);
        System.exit(0);
      }
      Server server = start(options);
      System.out.println(
          "Serving gRPC on http://localhost:"
              + server.port()
              + "; a browser shows the services there and calls them");
      return server;
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(EXIT_USAGE);
    } catch (ServerStartException e) {
      System.err.println(e.getMessage());
      System.exit(EXIT_NOT_STARTED);
    }
    throw new AssertionError("System.exit returned");
  }

  /** Starts the server. */
  static Server start(HelloOptions options) {
    ServerBuilder builder =
        Server.builder()
            .port(options.port())
            .spin(options.spin())
            .add(new Greeter())
            .add(new GreeterV1())
            .http("/", new Explorer());
    Execution execution = options.execution();
    if (execution != null) {
      builder.execution(execution);
    }
    if (options.loops() > 0) {
      builder.loops(options.loops());
    }
    return builder.start();
  }
}
