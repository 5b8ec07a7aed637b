package dev.peregrine.server;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** A server with a small heap in a process of its own, whose replies are large. */
final class MemoryVictim implements AutoCloseable {

  static final int HEAP_MIB = 256;

  /** Of one reply. */
  static final int BLOB_BYTES = 1 << 20;

  static final String WORKERS_PATH = "/workers.Echo/Unary";
  private static final int WORKERS = 8;

  final Process process;
  final int port;
  final int tlsPort;
  private final Queue<String> log = new ConcurrentLinkedQueue<>();

  MemoryVictim(Path certificate, Path key) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    process =
        new ProcessBuilder(
                java,
                "-Xmx" + HEAP_MIB + "m",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                MemoryVictim.class.getName(),
                certificate.toString(),
                key.toString())
            .redirectErrorStream(true)
            .start();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    port = Integer.parseInt(lines.readLine());
    tlsPort = Integer.parseInt(lines.readLine());
    Thread reader = new Thread(() -> lines.lines().forEach(log::add), "victim-log");
    reader.setDaemon(true);
    reader.start();
  }

  /** What it has logged. */
  Stream<String> log() {
    return List.copyOf(log).stream();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** The server. "blob" is answered with a large text, everything else with itself. */
  public static void main(String[] args) throws InterruptedException {
    String blob = "b".repeat(BLOB_BYTES);
    EchoService service =
        new EchoService((request, context) -> request.equals("blob") ? blob : request);
    Tls tls = Tls.pem(Path.of(args[0]), Path.of(args[1]));
    InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    Server server =
        Server.builder()
            .bind(loopback)
            .bind(loopback, tls)
            .add(service, Execution.inline())
            .add(new OnWorkers(blob), Execution.workers(WORKERS))
            .http("/blob", request -> HttpResponse.text(200, blob))
            .http("/used", request -> HttpResponse.text(200, String.valueOf(usedMib())))
            .start();
    System.out.println(server.addresses().get(0).getPort());
    System.out.println(server.addresses().get(1).getPort());
    server.awaitTermination();
  }

  /** The same method on workers, which make replies faster than the loop takes them. */
  private record OnWorkers(String blob) implements Service {
    @Override
    public ServiceDefinition definition() {
      return ServiceDefinition.of("workers.Echo")
          .unary(
              Method.of(
                  WORKERS_PATH.substring(1), Method.Kind.UNARY, EchoService.TEXT, EchoService.TEXT),
              (request, context) -> blob);
    }
  }

  private static long usedMib() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
  }
}
