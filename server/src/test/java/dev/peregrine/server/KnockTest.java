package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Execution;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What peers get that speak something else, and what the log says of them. */
class KnockTest {

  private static final int TIMEOUT_MILLIS = 20_000;

  private final Logger logger = Logger.getLogger("dev.peregrine");
  private final List<LogRecord> records = new ArrayList<>();
  private final Handler recorder =
      new Handler() {
        @Override
        public synchronized void publish(LogRecord record) {
          records.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private Server server;

  @BeforeEach
  void start() {
    logger.addHandler(recorder);
    server =
        Server.builder()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .loops(1)
            .onTerm(false)
            .add(new EchoService(), Execution.inline())
            .start();
  }

  @AfterEach
  void stop() {
    server.stop(Duration.ofSeconds(10));
    logger.removeHandler(recorder);
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  private String answerTo(String text) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      byte[] answer = socket.getInputStream().readAllBytes();
      return new String(answer, StandardCharsets.ISO_8859_1);
    }
  }

  /** The log once the server has ended, so that nothing is missing. */
  private List<LogRecord> log() {
    stop();
    return records;
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"})
  void requestOfHttp1GetsAProperAnswerAndNothingInTheLog(String method) throws Exception {
    String answer =
        answerTo(
            method
                + " / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello");
    assertTrue(answer.startsWith("HTTP/1.1 404 Not Found\r\n"), answer);
    assertTrue(answer.contains("\r\ncontent-type: text/plain"), answer);
    String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
    assertTrue(answer.contains("\r\ncontent-length: " + body.length() + "\r\n"), answer);
    assertEquals(List.of(), log());
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1 x\r\n", "SSH HTTP/2.0\n", "GET  / HTTP/1.1\r\n"})
  void brokenRequestLineGetsABadRequest(String line) throws Exception {
    String answer = answerTo(line);
    assertTrue(answer.startsWith("HTTP/1.1 400 Bad Request\r\n"), answer);
    assertEquals(List.of(), log());
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET /\r\n", "USER nobody\r\n", "INVALID CONNECTION PREFACE\r\n\r\n"})
  void textThatIsNotARequestOfHttpIsClosed(String line) throws Exception {
    assertEquals("", answerTo(line));
  }

  @Test
  void clientHelloOfTlsIsClosedWithOneLineInTheLog() throws Exception {
    assertEquals(
        "", answerTo("\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"));
    List<LogRecord> log = log();
    assertEquals(1, log.size());
    assertEquals(Level.INFO, log.get(0).getLevel());
    assertTrue(log.get(0).getMessage().contains("TLS"), log.get(0).getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0000\u0001", "hello\r\n", "\u0016\u0002", "DR\u0001", "\u00ff"})
  void anythingElseIsClosed(String bytes) throws Exception {
    assertEquals("", answerTo(bytes));
    assertEquals(1, log().size());
  }

  @Test
  void scannerCannotFloodTheLog() throws Exception {
    long begin = System.nanoTime();
    for (int i = 0; i < 200; i++) {
      answerTo("hello\r\n");
    }
    long seconds = (System.nanoTime() - begin) / 1_000_000_000;
    int lines = log().size();
    assertTrue(lines >= 1 && lines <= seconds + 2, lines + " lines in " + seconds + " s");
  }

  @Test
  void prefaceMayArriveByteByByte() throws Exception {
    Socket socket = connect();
    try (RawClient client = new RawClient(socket)) {
      byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
      for (byte b : preface) {
        socket.getOutputStream().write(b);
      }
      client.frame(RawClient.SETTINGS, 0, 0, new byte[0]);
      client.call(1, EchoService.PATH, "slowly").flush();
      assertEquals("slowly", client.response(1).message());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "P", "PR", "PRI * HT"})
  void silentPeerDoesNotHoldUpADrain(String bytes) throws Exception {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
      // Another connection has been served: this one has been accepted, too.
      answerTo("GET / HTTP/1.1\r\n\r\n");
      long begin = System.nanoTime();
      server.stop(Duration.ofMillis(TIMEOUT_MILLIS));
      long millis = (System.nanoTime() - begin) / 1_000_000;
      assertTrue(millis < 1500, "took " + millis + " ms");
      // Whatever it was sent, SETTINGS perhaps, the end follows.
      assertTrue(socket.getInputStream().readAllBytes().length < 100);
    }
  }
}
