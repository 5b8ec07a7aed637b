package dev.peregrine.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.examples.helloworld.GreeterService;
import dev.peregrine.examples.helloworld.HelloRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Prometheus reads. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MeteredGreeterTest {

  private static HttpResponse<String> get(int port, String path)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static void assertLine(String line, String page) {
    assertTrue(page.lines().anyMatch(line::equals), line + " is not in\n" + page);
  }

  @Test
  void callsAreOnThePage() throws Exception {
    try (MeteredGreeter greeter = new MeteredGreeter(0, 0)) {
      HelloRequest request = HelloRequest.newBuilder().setName("World").build();
      HelloCall.call(greeter.port(), GreeterService.SAY_HELLO, request);
      HelloCall.call(greeter.port(), GreeterService.SAY_HELLO, request);
      HttpResponse<String> response = get(greeter.metricsPort(), "/metrics");
      assertEquals(200, response.statusCode());
      assertEquals(
          "text/plain; version=0.0.4; charset=utf-8",
          response.headers().firstValue("content-type").orElseThrow());
      String labels = "method=\"helloworld.Greeter/SayHello\",protocol=\"grpc\"";
      assertLine("peregrine_calls_started_total{" + labels + "} 2.0", response.body());
      assertLine("peregrine_calls_seconds_count{code=\"OK\"," + labels + "} 2", response.body());
      assertLine("peregrine_response_size_bytes_sum{" + labels + "} 28.0", response.body());
      assertLine("peregrine_calls_active 0.0", response.body());
      assertLine("peregrine_limits_reached_total{limit=\"stream_resets\"} 0.0", response.body());
    }
  }

  @Test
  void callersDoNotSeeThePage() throws Exception {
    try (MeteredGreeter greeter = new MeteredGreeter(0, 0)) {
      assertEquals(404, get(greeter.port(), "/metrics").statusCode());
    }
  }
}
