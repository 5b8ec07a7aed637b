package dev.peregrine.examples;

import dev.peregrine.examples.helloworld.GreeterService;
import dev.peregrine.examples.helloworld.HelloReply;
import dev.peregrine.examples.helloworld.HelloRequest;
import dev.peregrine.server.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Main thread only. What {@code ./peregrine hello} runs: starts {@link HelloWorld}, makes one real
 * call through the socket, says what to try next, and goes on serving.
 */
public final class FirstCall {

  private static final int EXIT_CALL_FAILED = 1;
  private static final String ONCE = "--once";

  /** The one call has ended, so this is only for its connection to close. */
  private static final Duration ONCE_GRACE = Duration.ofSeconds(1);

  private static final String TO_TRY =
      """

      Open http://localhost:%1$d in a browser, or try, from the root of the sources:

        curl -H 'content-type: application/json' -d '{"name": "you"}' \\
            http://localhost:%1$d/helloworld.v1.Greeter/Hello

        grpcurl -plaintext -import-path examples/src/main/proto -proto helloworld/v1/helloworld.proto \\
            -d '{"name": "you"}' localhost:%1$d helloworld.v1.Greeter/Hello

        nghttp -v -H 'content-type: application/grpc' -H 'te: trailers' \\
            -d bench/hello.grpc-lpm.data http://localhost:%1$d/helloworld.Greeter/SayHello

        h2load -n 100000 -c 10 -m 10 -H 'content-type: application/grpc' -H 'te: trailers' \\
            -d bench/hello.grpc-lpm.data http://localhost:%1$d/helloworld.v1.Greeter/Hello

      Serving until Ctrl-C.
      """;

  private FirstCall() {}

  /**
   * Serves and calls.
   *
   * @param args {@code --once} ends after the call, with exit code 0 if it worked, else 1; the rest
   *     is for {@link HelloWorld}
   * @throws InterruptedException if the main thread is interrupted
   */
  public static void main(String[] args) throws InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(args));
    boolean once = arguments.remove(ONCE);
    try (Server server = HelloWorld.startOrExit(arguments)) {
      boolean worked = call(server.port());
      if (once) {
        server.stop(ONCE_GRACE);
        System.exit(worked ? 0 : EXIT_CALL_FAILED);
      }
      System.out.print(TO_TRY.formatted(server.port()));
      server.awaitTermination();
    }
  }

  private static boolean call(int port) {
    HelloRequest request = HelloRequest.newBuilder().setName("World").build();
    long start = System.nanoTime();
    try {
      HelloReply reply = HelloCall.call(port, GreeterService.SAY_HELLO, request);
      long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
      System.out.println(
          "Called helloworld.Greeter/SayHello with name \"World\": \""
              + reply.getMessage()
              + "\", grpc-status 0, in "
              + millis
              + " ms");
      return true;
    } catch (IOException e) {
      System.err.println("The call to port " + port + " failed: " + e.getMessage());
      return false;
    }
  }
}
