package dev.peregrine.bench.peers;

import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.peregrine.bench.plain.echo.EchoGrpc;
import dev.peregrine.bench.plain.echo.Req;
import dev.peregrine.bench.plain.echo.Resp;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;

/**
 * Main thread. Armeria with one event loop: {@code echo.Echo/Echo} as JSON without gRPC's framing:
 * {@code --port P}.
 */
public final class ArmeriaEchoServer {

  private ArmeriaEchoServer() {}

  /** Serves until killed. */
  public static void main(String[] args) {
    Flags flags = new Flags(args);
    Server.builder()
        .http(new InetSocketAddress("127.0.0.1", flags.number("--port", 7000)))
        .workerGroup(EventLoopGroups.newEventLoopGroup(1), true)
        .service(
            GrpcService.builder()
                .addService(new Echo())
                .supportedSerializationFormats(GrpcSerializationFormats.values())
                .enableUnframedRequests(true)
                .useBlockingTaskExecutor(false)
                .build())
        .build()
        .start()
        .join();
  }

  private static final class Echo extends EchoGrpc.EchoImplBase {
    @Override
    public void echo(Req request, StreamObserver<Resp> responses) {
      responses.onNext(Resp.newBuilder().setPayload(request.getPayload()).build());
      responses.onCompleted();
    }
  }
}
