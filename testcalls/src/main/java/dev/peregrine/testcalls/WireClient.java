package dev.peregrine.testcalls;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.StringValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Calls {@link Talk} by every wire. Any thread. */
public final class WireClient {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int PREFIX_BYTES = 5;

  private final int port;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** A client of a server on this machine. */
  public WireClient(int port) {
    this.port = port;
  }

  /**
   * Calls a method.
   *
   * @param method {@code package.Service/Method}
   * @param text the request message; one for each line if the method is a stream
   * @param fields names and values of further header fields by turns
   */
  public Reply call(Wire wire, String method, String text, String... fields)
      throws IOException, InterruptedException {
    if (wire == Wire.GRPC) {
      try (GrpcConnection connection = new GrpcConnection(port)) {
        connection.headers("/" + method, fields);
        connection.data(envelopes(text), true);
        return connection.await();
      }
    }
    HttpRequest.Builder request = request(wire, method, text);
    if (fields.length > 0) {
      request.headers(fields);
    }
    return send(request);
  }

  private HttpRequest.Builder request(Wire wire, String method, String text) {
    if (wire == Wire.MAPPED) {
      return to("/say/" + text).GET();
    }
    byte[] content =
        switch (wire) {
          case GRPC, GRPC_WEB -> envelopes(text);
          case CONNECT, PLAIN -> StringValue.of(text).toByteArray();
          case CONNECT_JSON, MAPPED -> ("\"" + text + "\"").getBytes(UTF_8);
        };
    return to("/" + method)
        .header("content-type", wire.contentType())
        .POST(HttpRequest.BodyPublishers.ofByteArray(content));
  }

  private HttpRequest.Builder to(String target) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target)).timeout(TIMEOUT);
  }

  /** A plain HTTP request without content. */
  public Reply http(String method, String target, String... fields)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = to(target).method(method, HttpRequest.BodyPublishers.noBody());
    if (fields.length > 0) {
      request.headers(fields);
    }
    return send(request);
  }

  private Reply send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<byte[]> response =
        http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    return new Reply(
        response.statusCode(), response.headers().firstValue("grpc-status").orElse(null));
  }

  /** Messages, one for each line, each behind its prefix. */
  public static byte[] envelopes(String text) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String line : text.split("\n", -1)) {
      byte[] message = StringValue.of(line).toByteArray();
      all.writeBytes(ByteBuffer.allocate(PREFIX_BYTES).putInt(1, message.length).array());
      all.writeBytes(message);
    }
    return all.toByteArray();
  }
}
