package dev.peregrine.transcoding;

import com.google.protobuf.Empty;
import com.google.rpc.BadRequest;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Responses;
import dev.peregrine.rpc.Status;
import dev.peregrine.server.Server;
import dev.peregrine.transcoding.probe.All;
import dev.peregrine.transcoding.probe.ProbeService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** The probe on a server, and a client of HTTP/1.1. */
final class ProbeServer implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Server server;

  /** Each item of a stream with the name "step" waits for one. */
  final Semaphore steps = new Semaphore(0);

  /** The thread of the handler that sends as long as somebody listens. */
  final CompletableFuture<Thread> endless = new CompletableFuture<>();

  final CountDownLatch cancelled = new CountDownLatch(1);

  ProbeServer() {
    server =
        Server.builder()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .loops(1)
            .onTerm(false)
            .add(new Answers())
            .httpMapping(new Transcoding())
            .http("/v1/files/endpoint", r -> dev.peregrine.server.HttpResponse.text(200, "mine"))
            .httpFallback(r -> dev.peregrine.server.HttpResponse.text(404, "fallback"))
            .start();
  }

  int port() {
    return server.port();
  }

  HttpRequest.Builder request(String method, String target, String content) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + target))
        .timeout(TIMEOUT)
        .method(
            method,
            content == null
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(content));
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpClient client() {
    return client;
  }

  @Override
  public void close() {
    server.stop(Duration.ofSeconds(10));
  }

  private final class Answers implements ProbeService {

    @Override
    public All get(All request, Context context) {
      context.responseHeaders().add("x-protocol", context.protocol());
      String echo = context.metadata().get("x-echo");
      if (echo != null) {
        context.responseTrailers().add("x-echo", echo);
      }
      return request;
    }

    @Override
    public All query(All request, Context context) {
      context.compressResponses(true);
      return request;
    }

    @Override
    public All write(All request, Context context) {
      return request;
    }

    @Override
    public All publish(All request, Context context) {
      return request.toBuilder().setLeft("published").build();
    }

    @Override
    public Empty delete(All request, Context context) {
      return Empty.getDefaultInstance();
    }

    @Override
    public All custom(All request, Context context) {
      return request.toBuilder().setLeft("custom").build();
    }

    @Override
    public All part(All request, Context context) {
      return request;
    }

    @Override
    public void watch(All request, Responses<All> responses, Context context) {
      if (request.getName().equals("endless")) {
        sendForEver(responses, context);
      }
      for (int number : request.getNumbersList()) {
        if (request.getName().equals("step")) {
          steps.acquireUninterruptibly();
        }
        responses.send(All.newBuilder().setI32(number).setName(request.getLeft()).build());
      }
      if (request.getI32() != 0) {
        throw Status.of(Status.Code.of(request.getI32())).withMessage("as asked").exception();
      }
    }

    private void sendForEver(Responses<All> responses, Context context) {
      context.onCancel(cancelled::countDown);
      endless.complete(Thread.currentThread());
      while (true) {
        responses.send(All.newBuilder().setName("x".repeat(10_000)).build());
      }
    }

    @Override
    public All fail(All request, Context context) {
      if (request.getI32() > 16) {
        throw new IllegalStateException("a secret of the handler");
      }
      BadRequest details =
          BadRequest.newBuilder()
              .addFieldViolations(BadRequest.FieldViolation.newBuilder().setField("i32"))
              .build();
      throw Status.of(Status.Code.of(request.getI32()))
          .withMessage("as asked")
          .withDetails(details)
          .exception();
    }
  }
}
