package dev.peregrine.conformance.connect;

import com.google.protobuf.ByteString;
import connectrpc.conformance.v1.ServerCompat.ServerCompatRequest;
import connectrpc.conformance.v1.ServerCompat.ServerCompatResponse;
import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Service;
import dev.peregrine.server.Server;
import dev.peregrine.server.ServerBuilder;
import dev.peregrine.server.Tls;
import dev.peregrine.zstd.Zstandard;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;

/**
 * Starts the server that the suite asks for on standard input, says on standard output where it is,
 * and serves until SIGTERM. Main thread.
 *
 * <p>Both messages stand behind their length, 32 bits, big-endian.
 */
public final class ServerUnderTest {

  /** The suite waits five seconds for a server to end; its calls are over before. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  /** Enough for the calls the suite makes at a time, of which many only sleep. */
  private static final int WORKERS = 16;

  /** A request holds two certificates and a key at most. */
  private static final int MAX_REQUEST_BYTES = 64 * 1024;

  private ServerUnderTest() {}

  /**
   * Starts the server.
   *
   * @param args {@code blocking} or {@code events}; then {@code inline}, {@code workers}, {@code
   *     executor} or {@code virtual}
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 2) {
      throw new IllegalArgumentException("two arguments are needed: style and execution");
    }
    WarmUp.run();
    ServerCompatRequest request = read(new DataInputStream(System.in));
    Server server = start(request, service(args[0]), execution(args[1]));
    ServerCompatResponse response =
        ServerCompatResponse.newBuilder()
            .setHost(InetAddress.getLoopbackAddress().getHostAddress())
            .setPort(server.port())
            .setPemCert(request.getServerCreds().getCert())
            .build();
    DataOutputStream out = new DataOutputStream(System.out);
    out.writeInt(response.getSerializedSize());
    response.writeTo(out);
    out.flush();
    server.awaitTermination();
  }

  private static ServerCompatRequest read(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MAX_REQUEST_BYTES) {
      throw new IOException("the suite's request has " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return ServerCompatRequest.parseFrom(bytes);
  }

  private static Server start(ServerCompatRequest request, Service service, Execution execution)
      throws IOException {
    ServerBuilder builder =
        Server.builder()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .grace(GRACE)
            .compressors(Compressor.gzip(), Compressor.deflate(), new Zstandard())
            .observe(new TimeAllowed())
            .add(service, execution);
    if (request.getMessageReceiveLimit() > 0) {
      builder.limits(Limits.DEFAULTS.withMaxRequestBytes(request.getMessageReceiveLimit()));
    }
    if (request.getUseTls()) {
      builder.tls(tls(request));
    }
    return builder.start();
  }

  /** By files, as users have it: they are read when the server starts. */
  private static Tls tls(ServerCompatRequest request) throws IOException {
    Path chain = file(request.getServerCreds().getCert());
    Tls tls = Tls.pem(chain, file(request.getServerCreds().getKey())).withReload(Duration.ZERO);
    return request.getClientTlsCert().isEmpty()
        ? tls
        : tls.withClientCertificates(
            Tls.ClientCertificates.REQUIRED, file(request.getClientTlsCert()));
  }

  private static Path file(ByteString pem) throws IOException {
    Path file = Files.createTempFile("conformance", ".pem");
    file.toFile().deleteOnExit();
    return Files.write(file, pem.toByteArray());
  }

  private static Service service(String style) {
    return switch (style) {
      case "blocking" -> new BlockingConformance();
      case "events" -> new EventDrivenConformance();
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
