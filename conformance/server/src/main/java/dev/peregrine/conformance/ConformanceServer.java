package dev.peregrine.conformance;

import com.google.api.HttpRule;
import dev.peregrine.examples.Greeter;
import dev.peregrine.examples.GreeterV1;
import dev.peregrine.explorer.Explorer;
import dev.peregrine.rpc.Cors;
import dev.peregrine.rpc.Execution;
import dev.peregrine.server.HttpResponse;
import dev.peregrine.server.Server;
import dev.peregrine.server.ServerBuilder;
import dev.peregrine.server.Tls;
import dev.peregrine.services.Health;
import dev.peregrine.services.Reflection;
import dev.peregrine.transcoding.Transcoding;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Serves {@link Probe}, {@link Streams}, {@link Shapes}, both greeters of the hello world example,
 * health, reflection, a plain page at {@code /} and the explorer at {@code /explorer}, until
 * SIGTERM. Main thread.
 *
 * <p>Flags: {@code --port} (0: any), {@code --mode inline|workers|virtual}, {@code --workers N},
 * {@code --loops N}, {@code --reuse-port true}, {@code --cors any} (pages of other origins may
 * call), {@code --pages FOLDER} (its files at {@code /browser/}), {@code --certificate FILE} and
 * {@code --key FILE} (PEM: TLS on a second port, {@code --tls-port N}; new files are taken within
 * {@link #RELOAD}). Says {@code listening on port N} when it is ready, and before that, if so,
 * {@code listening with TLS on port N}.
 */
public final class ConformanceServer {

  /** Enough for handlers that sleep, on a machine of any size. */
  private static final int WORKERS = 8;

  /** What the pages of checks read of the answers' metadata, and of unary Connect's trailers. */
  private static final String[] EXPOSED = {
    "echo-a", "echo-b-bin", "echo-trailing-c", "trailer-echo-trailing-c"
  };

  /** Short, for checks that replace certificates and wait for it. */
  private static final Duration RELOAD = Duration.ofMillis(200);

  private static final HttpRule HELLO =
      HttpRule.newBuilder()
          .setSelector("helloworld.v1.Greeter.Hello")
          .setGet("/v1/hello/{name}")
          .addAdditionalBindings(
              HttpRule.newBuilder().setPost("/v1/hello").setBody("*").setResponseBody("message"))
          .build();

  private static final HttpRule DOWNLOAD =
      HttpRule.newBuilder()
          .setSelector("peregrine.conformance.v1.Streams.Download")
          .setGet("/v1/items:download")
          .build();

  private int port;
  private int tlsPort;
  private Path certificate;
  private Path key;
  private String mode = "workers";
  private int workers = WORKERS;
  private int loops = 1;
  private boolean reusePort;
  private boolean anyOrigin;
  private Path pages;

  private ConformanceServer() {}

  /** Starts the server and waits for its end. */
  public static void main(String[] args) throws Exception {
    ConformanceServer flags = new ConformanceServer();
    for (int i = 0; i + 1 < args.length; i += 2) {
      flags.set(args[i], args[i + 1]);
    }
    Server server = flags.start();
    if (flags.certificate != null) {
      System.out.println("listening with TLS on port " + server.addresses().get(1).getPort());
    }
    System.out.println("listening on port " + server.port());
    server.awaitTermination();
  }

  private void set(String flag, String value) {
    switch (flag) {
      case "--port" -> port = Integer.parseInt(value);
      case "--tls-port" -> tlsPort = Integer.parseInt(value);
      case "--certificate" -> certificate = Path.of(value);
      case "--key" -> key = Path.of(value);
      case "--mode" -> mode = value;
      case "--workers" -> workers = Integer.parseInt(value);
      case "--reuse-port" -> reusePort = Boolean.parseBoolean(value);
      case "--cors" -> anyOrigin = value.equals("any");
      case "--pages" -> pages = Path.of(value);
      case "--loops" -> loops = Integer.parseInt(value);
      default -> throw new IllegalArgumentException("no flag " + flag);
    }
  }

  private Server start() throws IOException {
    ServerBuilder builder = builder();
    if (anyOrigin) {
      builder.cors(Cors.allowAnyOrigin().withExposedHeaders(EXPOSED));
    }
    if (certificate != null) {
      builder.bind(new InetSocketAddress(tlsPort), Tls.pem(certificate, key).withReload(RELOAD));
    }
    if (pages != null) {
      Folder.addTo(builder, "/browser/", pages);
    }
    return builder.start();
  }

  private ServerBuilder builder() {
    return Server.builder()
        .port(port)
        .loops(loops)
        .reusePort(reusePort)
        .execution(execution())
        .add(new Probe())
        .add(new Greeter())
        .add(new GreeterV1())
        // Streams block, so they need threads even where other calls are inline.
        .add(new Streams(), Execution.workers(workers))
        .add(new Shapes(), Execution.workers(workers))
        .add(new Health())
        .add(new Reflection())
        .httpMapping(new Transcoding().withRules(HELLO, DOWNLOAD))
        .http("/", request -> HttpResponse.text(200, "Peregrine's conformance server\n"))
        .http("/explorer", new Explorer());
  }

  private Execution execution() {
    return switch (mode) {
      case "inline" -> Execution.inline();
      case "workers" -> Execution.workers(workers);
      case "virtual" -> Execution.virtualThreads();
      default -> throw new IllegalArgumentException("no mode " + mode);
    };
  }
}
