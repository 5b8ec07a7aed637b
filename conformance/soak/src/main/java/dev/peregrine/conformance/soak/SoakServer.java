package dev.peregrine.conformance.soak;

import dev.peregrine.rpc.Limits;
import dev.peregrine.server.ConnectionLimits;
import dev.peregrine.server.ListenSocket;
import dev.peregrine.server.Server;
import dev.peregrine.server.Tls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Serves every {@link Variant}, and says what it holds. Main thread.
 *
 * <p>Says {@code port N}, and then answers each line of its input: {@code state} with the figures
 * of {@link ServerState}, {@code histogram} with the live objects of our own classes, one a line,
 * and an empty line. Ends with its input. With a certificate and its key as arguments (PEM), says
 * {@code tls port N} first, and serves the same there.
 */
public final class SoakServer {

  private static final int EXECUTOR_THREADS = 4;

  /** Small, the kernel takes only a part of most responses; 0 leaves the choice to the kernel. */
  private static final int SEND_BUFFER_BYTES = Integer.getInteger("soak.sendBufferBytes", 0);

  private static final int RECEIVE_BUFFER_BYTES = 64 * 1024;

  private static final String OURS = "dev.peregrine.";
  private static final String CLASSES_OF_THIS_PROGRAM = OURS + "conformance.";

  private final CallCounts counts = new CallCounts();
  private final Server server;

  private SoakServer(ExecutorService executor, Tls tls) {
    var builder =
        Server.builder()
            .listen(socket())
            .limits(Limits.DEFAULTS)
            .connectionLimits(ConnectionLimits.DEFAULTS)
            .observe(counts);
    for (Variant variant : Variant.all(executor)) {
      builder.add(new SoakService(variant), variant.execution());
    }
    if (tls != null) {
      builder.listen(socket().withTls(tls));
    }
    server = builder.start();
  }

  private static ListenSocket socket() {
    ListenSocket socket =
        ListenSocket.address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    return SEND_BUFFER_BYTES == 0
        ? socket
        : socket.withBufferBytes(RECEIVE_BUFFER_BYTES, SEND_BUFFER_BYTES);
  }

  /** Serves until the end of the input. */
  public static void main(String[] args) throws IOException, JMException {
    ExecutorService executor = Executors.newFixedThreadPool(EXECUTOR_THREADS);
    Tls tls = args.length == 2 ? Tls.pem(Path.of(args[0]), Path.of(args[1])) : null;
    SoakServer soak = new SoakServer(executor, tls);
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    if (tls != null) {
      System.out.println("tls port " + soak.server.addresses().get(1).getPort());
    }
    System.out.println("port " + soak.server.port());
    String command = commands.readLine();
    while (command != null) {
      if (command.equals("histogram")) {
        soak.printLiveObjects();
      } else {
        System.out.println(soak.state());
      }
      command = commands.readLine();
    }
    soak.server.close();
    executor.shutdown();
  }

  private ServerState state() {
    System.gc();
    long heapBytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return new ServerState(
        counts.started(),
        counts.open(),
        counts.refused(),
        server.connections(),
        ManagementFactory.getThreadMXBean().getThreadCount(),
        heapBytes);
  }

  /** After a full collection; what belongs to this program rather than to Peregrine is left out. */
  private void printLiveObjects() throws JMException {
    String histogram =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    histogram
        .lines()
        .filter(line -> line.contains(OURS) && !line.contains(CLASSES_OF_THIS_PROGRAM))
        .map(line -> line.strip().split("\\s+"))
        .map(columns -> columns[3] + " " + columns[1])
        .forEach(System.out::println);
    System.out.println();
  }
}
