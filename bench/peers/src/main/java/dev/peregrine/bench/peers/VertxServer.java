package dev.peregrine.bench.peers;

import com.google.protobuf.Message;
import dev.peregrine.examples.helloworld.v1.HelloRequest;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import java.util.function.Function;

/** Main thread. Vert.x gRPC with one event loop, handlers on it: {@code --port P}. */
public final class VertxServer {
  private VertxServer() {}

  /** Serves until killed. */
  public static void main(String[] args) {
    Flags flags = new Flags(args);
    Vertx vertx =
        Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
    GrpcServer grpc = GrpcServer.server(vertx);
    unary(
        grpc,
        "helloworld.v1.Greeter",
        "Hello",
        HelloRequest.getDefaultInstance(),
        Greetings::hello);
    unary(
        grpc,
        "helloworld.Greeter",
        "SayHello",
        dev.peregrine.examples.helloworld.HelloRequest.getDefaultInstance(),
        Greetings::sayHello);
    vertx
        .createHttpServer(
            new HttpServerOptions().setHost("127.0.0.1").setPort(flags.number("--port", 7000)))
        .requestHandler(grpc)
        .listen()
        .await();
  }

  private static <Q extends Message, R extends Message> void unary(
      GrpcServer grpc, String service, String method, Q sample, Function<Q, R> handler) {
    ServiceMethod<Q, R> definition =
        ServiceMethod.server(
            ServiceName.create(service),
            method,
            GrpcMessageEncoder.encoder(),
            GrpcMessageDecoder.decoder(sample));
    grpc.callHandler(
        definition,
        request -> request.handler(message -> request.response().end(handler.apply(message))));
  }
}
