package dev.peregrine.bench.plain;

import dev.peregrine.bench.plain.echo.EchoService;
import dev.peregrine.bench.plain.echo.Req;
import dev.peregrine.bench.plain.echo.Resp;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Execution;
import dev.peregrine.server.HttpResponse;
import dev.peregrine.server.Server;

/**
 * Main thread. Serves {@code Hello world} on every path, and {@code echo.Echo/Echo}, until killed:
 * {@code PORT}.
 */
public final class HttpServer {

  private HttpServer() {}

  /** Starts the server. */
  public static void main(String[] args) throws InterruptedException {
    HttpResponse hello = HttpResponse.text(200, "Hello world");
    Server.builder()
        .port(Integer.parseInt(args[0]))
        .loops(1)
        .add(new Echo(), Execution.inline())
        .httpFallback(request -> hello)
        .start()
        .awaitTermination();
  }

  /** Answers the payload. */
  private static final class Echo implements EchoService {
    @Override
    public Resp echo(Req request, Context context) {
      return Resp.newBuilder().setPayload(request.getPayload()).build();
    }
  }
}
