package dev.peregrine.bench.peers;

import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcService;
import java.net.InetSocketAddress;

/** Main thread. Armeria gRPC with one event loop, handlers on it: {@code --port P}. */
public final class ArmeriaServer {
  private ArmeriaServer() {}

  /** Serves until killed. */
  public static void main(String[] args) {
    Flags flags = new Flags(args);
    Server.builder()
        .http(new InetSocketAddress("127.0.0.1", flags.number("--port", 7000)))
        .workerGroup(EventLoopGroups.newEventLoopGroup(1), true)
        .service(
            GrpcService.builder()
                .addService(new GreeterV1())
                .addService(new Greeter())
                .useBlockingTaskExecutor(false)
                .build())
        .build()
        .start()
        .join();
  }
}
