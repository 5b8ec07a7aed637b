package dev.peregrine.bench.secure;

import dev.peregrine.conscrypt.ConscryptTls;
import dev.peregrine.examples.GreeterV1;
import dev.peregrine.rpc.Execution;
import dev.peregrine.server.Server;
import dev.peregrine.server.Tls;
import dev.peregrine.server.TlsProvider;
import java.nio.file.Path;

/**
 * Main thread. The greeter over TLS, one loop, handlers on it, until killed: {@code PORT
 * CERTIFICATE KEY jdk|conscrypt}.
 */
public final class SecureServer {

  private SecureServer() {}

  /** Starts the server. */
  public static void main(String[] args) throws InterruptedException {
    TlsProvider provider = args[3].equals("conscrypt") ? new ConscryptTls() : () -> null;
    Server.builder()
        .port(Integer.parseInt(args[0]))
        .tls(Tls.pem(Path.of(args[1]), Path.of(args[2])).withProvider(provider))
        .loops(1)
        .add(new GreeterV1(), Execution.inline())
        .start()
        .awaitTermination();
  }
}
