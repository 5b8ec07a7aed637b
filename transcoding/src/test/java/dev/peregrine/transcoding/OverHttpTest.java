package dev.peregrine.transcoding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Annotated methods by HTTP/1.1 over a socket. */
class OverHttpTest {

  private static ProbeServer probe;

  @BeforeAll
  static void start() {
    probe = new ProbeServer();
  }

  @AfterAll
  static void stop() {
    probe.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          GET    | /v1/shelves/1/books/2          | -            | 200 {"name":"shelves/1/books/2"}
          GET    | /v1/query?child.bigNumber=5&tags=a&tags=b | - | 200 {"tags":["a","b"],"child":{"bigNumber":"5"}}
          GET    | /v1/files/a%2Fb/c              | -            | 200 {"name":"a%2Fb/c"}
          POST   | /v1/whole/n                    | {"i32":5}    | 200 {"name":"n","i32":5}
          POST   | /v1/child/n                    | {"i32":5}    | 200 {"name":"n","child":{"i32":5}}
          PATCH  | /v1/shelves/7                  | {"i32":5}    | 200 {"child":{"name":"shelves/7","i32":5}}
          PUT    | /v1/tags                       | ["a"]        | 200 {"tags":["a"]}
          POST   | /v1/none                       | -            | 200 {}
          POST   | /v1/shelves/1/books/2:publish  | {}           | 200 {"name":"shelves/1/books/2","left":"published"}
          DELETE | /v1/shelves/1/books/2          | -            | 200 {}
          REPORT | /v1/report                     | -            | 200 {"left":"custom"}
          PURGE  | /v1/any/x                      | -            | 200 {"name":"x","left":"custom"}
          GET    | /                              | -            | 200 {"left":"custom"}
          POST   | /v1/part/tags                  | {"tags":["a"]} | 200 ["a"]
          GET    | /v1/query?i32=x                | -            | 400 {"code":3,"message":"query parameter i32: the value is not an int32"}
          GET    | /v1/nested/n/x                 | -            | 400 {"code":3,"message":"path variable i32: the value is not an int32"}
          GET    | /v1/query?nope=1               | -            | 400 {"code":3,"message":"query parameter nope: probe.All has no such field"}
          PUT    | /v1/query                      | -            | 405 {"code":12,"message":"this path has GET"}
          POST   | /v1/collect                    | {}           | 501 {"code":12,"message":"probe.Probe/Collect takes a stream of requests; call it by gRPC or Connect"}
          POST   | /v1/chat                       | {}           | 501 {"code":12,"message":"probe.Probe/Chat takes a stream of requests; call it by gRPC or Connect"}
          GET    | /v1/files/endpoint             | -            | 200 mine
          GET    | /v1/nothing                    | -            | 404 fallback
          GET    | /v1/fail/5                     | -            | 404 {"code":5,"message":"as asked","details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"i32"}]}]}
          GET    | /v1/fail/17                    | -            | 500 {"code":2}
          """)
  void requestsMeanCalls(String method, String target, String content, String expected)
      throws Exception {
    HttpResponse<String> response =
        probe.send(
            probe.request(method, target, content).header("content-type", "application/json"));
    assertEquals(expected, response.statusCode() + " " + response.body());
  }

  @ParameterizedTest
  @CsvSource({
    "1, 499", "2, 500", "3, 400", "4, 504", "5, 404", "6, 409", "7, 403", "8, 429",
    "9, 400", "10, 409", "11, 400", "12, 501", "13, 500", "14, 503", "15, 500", "16, 401"
  })
  void codesHaveTheirStatusOfHttp(int code, int httpStatus) throws Exception {
    HttpResponse<String> response = probe.send(probe.request("GET", "/v1/fail/" + code, null));
    assertEquals(httpStatus, response.statusCode());
    assertEquals("application/json", response.headers().firstValue("content-type").orElse(""));
    assertTrue(response.body().startsWith("{\"code\":" + code + ","), response.body());
  }

  @Test
  void metadataAreHeaderFields() throws Exception {
    HttpResponse<String> response =
        probe.send(probe.request("GET", "/v1/alt/x", null).header("x-echo", "1"));
    assertEquals("http", response.headers().firstValue("x-protocol").orElse(""));
    assertEquals("1", response.headers().firstValue("trailer-x-echo").orElse(""));
    assertEquals("application/json", response.headers().firstValue("content-type").orElse(""));
  }

  @Test
  void otherMethodsAreAnsweredWithThoseThereAre() throws Exception {
    HttpResponse<String> response = probe.send(probe.request("PUT", "/v1/shelves/1/books/2", null));
    assertEquals(405, response.statusCode());
    assertEquals("DELETE, GET", response.headers().firstValue("allow").orElse(""));
    assertEquals(405, probe.send(probe.request("HEAD", "/v1/query", null)).statusCode());
    assertEquals(200, probe.send(probe.request("HEAD", "/v1/head", null)).statusCode());
  }

  @Test
  void formsAreNotTakenForJson() throws Exception {
    HttpResponse<String> response =
        probe.send(
            probe
                .request("POST", "/v1/whole/n", "{}")
                .header("content-type", "application/x-www-form-urlencoded"));
    assertEquals(415, response.statusCode());
    assertEquals(
        "{\"code\":3,\"message\":\"the content must be application/json\"}", response.body());
  }

  @Test
  void responsesAreCompressedIfTheHandlerAndTheClientAgree() throws Exception {
    HttpResponse<byte[]> response =
        probe
            .client()
            .send(
                probe
                    .request("GET", "/v1/query?i32=5", null)
                    .header("accept-encoding", "gzip")
                    .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    assertEquals("gzip", response.headers().firstValue("content-encoding").orElse(""));
    try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
      assertEquals("{\"i32\":5}", new String(plain.readAllBytes(), UTF_8));
    }
  }

  @Test
  void contentOverTheLimitIsRefused() throws Exception {
    String large = "{\"name\":\"" + "x".repeat(5 << 20) + "\"}";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), probe.port())) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write(
              ("POST /v1/whole/n HTTP/1.1\r\nhost: x\r\ncontent-length: "
                      + large.length()
                      + "\r\n\r\n{")
                  .getBytes(UTF_8));
      String status =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine();
      assertTrue(status.startsWith("HTTP/1.1 429"), status);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          -                    | numbers=1&numbers=2       | 200 application/json [{"i32":1},{"i32":2}]
          -                    | i32=0                     | 200 application/json []
          -                    | numbers=1&i32=5           | 200 application/json [{"i32":1},{"error":{"code":5,"message":"as asked"}}]
          -                    | i32=5                     | 404 application/json {"code":5,"message":"as asked"}
          -                    | numbers=x                 | 400 application/json {"code":3,"message":"query parameter numbers: the value is not an int32"}
          application/x-ndjson | numbers=1&numbers=2       | 200 application/x-ndjson {"i32":1}⏎{"i32":2}⏎
          application/jsonl    | i32=0                     | 200 application/jsonl
          application/x-ndjson | numbers=1&i32=14          | 200 application/x-ndjson {"i32":1}⏎{"error":{"code":14,"message":"as asked"}}⏎
          text/event-stream    | numbers=1&numbers=2       | 200 text/event-stream data: {"i32":1}⏎⏎data: {"i32":2}⏎⏎
          text/event-stream    | numbers=1&i32=5           | 200 text/event-stream data: {"i32":1}⏎⏎event: error⏎data: {"code":5,"message":"as asked"}⏎⏎
          text/event-stream    | i32=5                     | 404 application/json {"code":5,"message":"as asked"}
          """)
  void streamsComeAsTheClientLikes(String accept, String query, String expected) throws Exception {
    HttpResponse<String> response =
        probe.send(
            probe
                .request("GET", "/v1/watch?" + query, null)
                .header("accept", accept == null ? "*/*" : accept));
    String text =
        response.statusCode()
            + " "
            + response.headers().firstValue("content-type").orElse("")
            + " "
            + response.body().replace('\n', '⏎');
    assertEquals(expected, text.strip());
  }

  @Test
  void streamsTakeContentAndAFieldOfEachResponse() throws Exception {
    assertEquals(
        "[{\"i32\":7}]",
        probe.send(probe.request("POST", "/v1/watch", "{\"numbers\":[7]}")).body());
    assertEquals(
        "[\"x\",\"x\"]",
        probe
            .send(probe.request("GET", "/v1/watch/names?numbers=1&numbers=2&left=x", null))
            .body());
  }

  @Test
  void eachItemLeavesWhenItIsSent() throws Exception {
    probe.steps.release();
    HttpResponse<InputStream> response =
        probe
            .client()
            .send(
                probe
                    .request("GET", "/v1/watch?name=step&numbers=1&numbers=2", null)
                    .header("accept", "text/event-stream")
                    .build(),
                HttpResponse.BodyHandlers.ofInputStream());
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
      assertEquals("data: {\"i32\":1}", lines.readLine());
      assertEquals("", lines.readLine());
      probe.steps.release();
      assertEquals("data: {\"i32\":2}", lines.readLine());
    }
  }

  @Test
  void aSlowClientHoldsTheHandlerBackAndOneThatIsGoneCancelsIt() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), probe.port())) {
      socket
          .getOutputStream()
          .write("GET /v1/watch?name=endless HTTP/1.1\r\nhost: x\r\n\r\n".getBytes(UTF_8));
      Thread handler = probe.endless.get(20, TimeUnit.SECONDS);
      long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      boolean waits = false;
      while (!waits && System.nanoTime() < deadlineNanos) {
        waits = handler.getState() == Thread.State.WAITING;
        Thread.onSpinWait();
      }
      assertTrue(waits);
    }
    assertTrue(probe.cancelled.await(20, TimeUnit.SECONDS));
  }
}
