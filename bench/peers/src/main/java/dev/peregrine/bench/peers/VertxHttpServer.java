package dev.peregrine.bench.peers;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.peregrine.bench.plain.echo.Req;
import dev.peregrine.bench.plain.echo.Resp;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;

/**
 * Main thread. Vert.x with one event loop: {@code Hello world}, and a JSON echo at {@code
 * /echo.Echo/Echo}: {@code --port P}.
 */
public final class VertxHttpServer {

  private static final Buffer HELLO = Buffer.buffer("Hello world");

  private VertxHttpServer() {}

  /** Serves until killed. */
  public static void main(String[] args) {
    Flags flags = new Flags(args);
    Vertx vertx =
        Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
    vertx
        .createHttpServer(
            new HttpServerOptions().setHost("127.0.0.1").setPort(flags.number("--port", 7000)))
        .requestHandler(VertxHttpServer::handle)
        .listen()
        .await();
  }

  private static void handle(HttpServerRequest request) {
    if (request.path().equals("/echo.Echo/Echo")) {
      request.bodyHandler(
          body -> request.response().putHeader("content-type", "application/json").end(echo(body)));
    } else {
      request.response().putHeader("content-type", "text/plain").end(HELLO);
    }
  }

  private static Buffer echo(Buffer body) {
    try {
      Req.Builder request = Req.newBuilder();
      JsonFormat.parser().merge(body.toString(), request);
      Resp response = Resp.newBuilder().setPayload(request.getPayload()).build();
      return Buffer.buffer(JsonFormat.printer().omittingInsignificantWhitespace().print(response));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
