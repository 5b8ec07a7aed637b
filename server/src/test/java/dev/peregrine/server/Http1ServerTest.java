package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Plain HTTP/1.1 over a socket. */
class Http1ServerTest {

  private static final int TIMEOUT_MILLIS = 20_000;
  private static final HttpResponse HEALTHY = HttpResponse.text(200, "healthy\n");

  private Server server;

  @BeforeEach
  void start() {
    server =
        Server.builder()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .loops(1)
            .onTerm(false)
            .http("/healthz", request -> HEALTHY)
            .http(
                "/echo",
                request -> HttpResponse.of(200, "application/octet-stream", request.body()))
            .http("/method", request -> HttpResponse.text(200, request.method()))
            .start();
  }

  @AfterEach
  void stop() {
    server.stop(Duration.ofSeconds(10));
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Reads until the text ends so. */
  private static String readTo(Socket socket, String end) throws IOException {
    StringBuilder text = new StringBuilder();
    byte[] buffer = new byte[8192];
    while (text.length() < end.length() || text.lastIndexOf(end) != text.length() - end.length()) {
      int length = socket.getInputStream().read(buffer);
      if (length < 0) {
        throw new AssertionError("closed after: " + text);
      }
      text.append(new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
    }
    return text.toString();
  }

  private static String readAll(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  private String curl(String... arguments) throws Exception {
    String[] command = new String[arguments.length + 4];
    command[0] = "curl";
    command[1] = "--http1.1";
    command[2] = "-sS";
    command[3] = "-m20";
    System.arraycopy(arguments, 0, command, 4, arguments.length);
    for (int i = 4; i < command.length; i++) {
      if (command[i].startsWith("/") && !command[i - 1].equals("-T")) {
        command[i] = "http://127.0.0.1:" + server.port() + command[i];
      }
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS));
    return text;
  }

  @Test
  void curlIsAnsweredOnOneConnection() throws Exception {
    assertEquals("healthy\nhealthy\n", curl("/healthz", "/healthz"));
    assertTrue(curl("-v", "/healthz", "/healthz").contains("Re-using existing"));
  }

  @Test
  void headersAreThoseOfHttp() throws Exception {
    String answer = curl("-i", "/healthz").toLowerCase(Locale.ROOT);
    assertTrue(answer.startsWith("http/1.1 200 ok\r\n"), answer);
    assertTrue(answer.contains("\r\ncontent-length: 8\r\n"), answer);
    assertEquals(1, count(answer, "\r\ndate: "), answer);
    assertTrue(answer.contains(" gmt\r\n"), answer);
  }

  @Test
  void anyMethodReachesTheEndpoint() throws Exception {
    for (String method : new String[] {"OPTIONS", "PUT", "DELETE", "PROPFIND"}) {
      assertEquals(method, curl("-X", method, "/method"));
    }
    String head = curl("-I", "/healthz");
    assertTrue(head.contains("content-length: 8\r\n") && head.endsWith("\r\n\r\n"), head);
  }

  @Test
  void uploadsComeSizedChunkedAndAfterAContinue() throws Exception {
    String large = "x".repeat(3_000_000);
    Path file = Files.createTempFile("upload", ".txt");
    try {
      Files.writeString(file, large);
      assertEquals(large, curl("--data-binary", "@" + file, "/echo"));
      assertEquals(
          large, curl("-H", "Transfer-Encoding: chunked", "--data-binary", "@" + file, "/echo"));
      assertEquals(large, curl("-H", "Expect: 100-continue", "-T", file.toString(), "/echo"));
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws Exception {
    try (Socket socket = connect()) {
      StringBuilder requests = new StringBuilder();
      StringBuilder bodies = new StringBuilder();
      for (int i = 0; i < 2_000; i++) {
        String body = "<" + i + ">";
        requests.append("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: ");
        requests.append(body.length()).append("\r\n\r\n").append(body);
        bodies.append(body);
      }
      Thread writer =
          new Thread(
              () -> {
                try {
                  send(socket, requests.toString());
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      writer.start();
      String answers = readTo(socket, "<1999>");
      writer.join();
      assertEquals(bodies.toString(), answers.replaceAll("(?s)HTTP/1.*?\r\n\r\n", ""));
    }
  }

  @Test
  void halfClosedPeerStillGetsItsAnswers() throws Exception {
    try (Socket socket = connect()) {
      String get = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
      send(socket, get + get);
      socket.shutdownOutput();
      String answers = readAll(socket);
      assertEquals(2, count(answers, "healthy\n"), answers);
    }
  }

  @Test
  void halfARequestAndAnEndIsJustClosed() throws Exception {
    try (Socket socket = connect()) {
      send(socket, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf");
      socket.shutdownOutput();
      assertEquals("", readAll(socket));
    }
  }

  @Test
  void drainClosesIdleConnectionsAndAnswersTheLastRequest() throws Exception {
    try (Socket socket = connect()) {
      send(socket, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
      readTo(socket, "healthy\n");
      long begin = System.nanoTime();
      server.stop(Duration.ofSeconds(10));
      assertEquals("", readAll(socket));
      long millis = (System.nanoTime() - begin) / 1_000_000;
      assertTrue(millis < 2_000, millis + " ms");
    }
  }
}
