import io.helidon.http.HeaderNames;
import io.helidon.webserver.WebServer;
import java.nio.charset.StandardCharsets;

/** Main thread. {@code Hello world} by Helidon SE, a virtual thread per connection: {@code PORT}. */
public final class HelidonServer {

  private static final byte[] HELLO = "Hello world".getBytes(StandardCharsets.US_ASCII);

  private HelidonServer() {}

  /** Serves until killed. */
  public static void main(String[] args) {
    WebServer.builder()
        .host("127.0.0.1")
        .port(Integer.parseInt(args[0]))
        .routing(
            routing ->
                routing.any(
                    (request, response) ->
                        response.header(HeaderNames.CONTENT_TYPE, "text/plain").send(HELLO)))
        .build()
        .start();
  }
}
