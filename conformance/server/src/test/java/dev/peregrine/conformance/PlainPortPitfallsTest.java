package dev.peregrine.conformance;

import static dev.peregrine.conformance.RawClient.PREFACE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.wire.ErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pitfalls G and I: what knocks at the port and is not HTTP/2. */
class PlainPortPitfallsTest {

  private static final Logger LOGGER = Logger.getLogger("dev.peregrine");

  private static ProbeServer server;

  @BeforeAll
  static void start() throws IOException {
    server = ProbeServer.inline();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  // P94: health checks, browsers, proxies.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://a\r\nConnection: close\r\n\r\n",
        "HEAD /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "POST /helloworld.Greeter/SayHello HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/grpc\r\nConnection: close\r\nContent-Length: 5\r\n\r\n\0\0\0\0\0",
        "PUT / HTTP/1.1\r\n\r\n",
        "PATCH / HTTP/1.1\r\n\r\n"
      })
  void anHttp1RequestGetsAShortPlainAnswer(String request) throws IOException {
    try (Log log = new Log();
        RawClient client = RawClient.silent(server.port())) {
      client.raw(request.getBytes(US_ASCII)).send();
      String answer = client.readText();
      assertTrue(answer.matches("(?s)HTTP/1\\.[01] (4\\d\\d|505) .*"), answer);
      assertTrue(answer.length() < 1000, answer);
      log.expectAtMostOneLine();
    }
    expectHealthy();
  }

  // P94: bytes that come one at a time are the same request.
  @Test
  void anHttp1RequestMayArriveInPieces() throws IOException {
    try (RawClient client = RawClient.silent(server.port())) {
      for (byte b : "GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII)) {
        try {
          client.raw(b).send();
        } catch (IOException e) {
          break; // answered and closed before the last byte
        }
      }
      String answer = client.readText();
      assertTrue(answer.isEmpty() || answer.startsWith("HTTP/1."), answer);
    }
    expectHealthy();
  }

  // P101: a TLS client on a plain port.
  @Test
  void aTlsHelloIsClosedWithOneLine() throws IOException {
    byte[] hello = new byte[200];
    hello[0] = 0x16;
    hello[1] = 3;
    hello[2] = 1;
    hello[4] = (byte) 195;
    hello[5] = 1;
    try (Log log = new Log();
        RawClient client = RawClient.silent(server.port())) {
      client.raw(hello).send();
      assertTrue(client.readText().length() < 100);
      log.expectOneLineAbout("TLS");
    }
    expectHealthy();
  }

  @Test
  void garbageIsClosed() throws IOException {
    try (Log log = new Log();
        RawClient client = RawClient.silent(server.port())) {
      client.raw(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}).send();
      client.raw(new byte[100]).send();
      client.readText();
      log.expectAtMostOneLine();
    }
    expectHealthy();
  }

  // P81: what only begins like the preface.
  @Test
  void aBrokenPrefaceIsClosed() throws IOException {
    for (int at = 4; at < PREFACE.length; at += 5) {
      byte[] broken = PREFACE.clone();
      broken[at] ^= 1;
      try (RawClient client = RawClient.silent(server.port())) {
        client.raw(broken).send();
        while (client.read() != null) {
          // SETTINGS and GOAWAY may come, then the end.
        }
      }
    }
    expectHealthy();
  }

  // P81
  @Test
  void anotherFrameThanSettingsAfterThePrefaceEndsTheConnection() throws IOException {
    try (RawClient client = RawClient.silent(server.port())) {
      client.raw(PREFACE).frame(Frame.PING, 0, 0, new byte[8]).send();
      client.expectConnectionError(ErrorCode.PROTOCOL_ERROR);
    }
    expectHealthy();
  }

  // P81: peers that only connect, or stop halfway, are not waited for longer than the opening
  // timeout. All at once, so that the test waits for it once. P82: a connection that is idle
  // after its settings is no such peer.
  @Test
  void peersThatSayNothingAreClosedAndIdleOnesAreNot() throws IOException {
    RawClient idle = server.connect();
    List<RawClient> silent = new ArrayList<>();
    for (int prefaceBytes : new int[] {0, 6, 23, 24}) {
      silent.add(RawClient.silent(server.port()));
      silent.get(silent.size() - 1).raw(Arrays.copyOf(PREFACE, prefaceBytes)).send();
    }
    for (RawClient client : silent) {
      while (client.read() != null) {
        // SETTINGS and GOAWAY may come, then the end.
      }
      client.close();
    }
    idle.expectSecondCall();
    idle.close();
  }

  private static void expectHealthy() throws IOException {
    try (RawClient client = server.connect()) {
      client.expectSecondCall();
    }
  }

  /** What the server logs meanwhile. Any thread. */
  private static final class Log extends Handler implements AutoCloseable {

    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    Log() {
      LOGGER.setLevel(Level.ALL);
      LOGGER.addHandler(this);
    }

    void expectAtMostOneLine() {
      assertTrue(records.size() <= 1, () -> "logged " + records.size() + " lines");
      for (LogRecord line : records) {
        assertNull(line.getThrown(), "a stack trace was logged");
        assertTrue(line.getLevel().intValue() <= Level.INFO.intValue(), line.getMessage());
      }
    }

    void expectOneLineAbout(String word) {
      assertEquals(1, records.size());
      expectAtMostOneLine();
      assertTrue(records.get(0).getMessage().contains(word), records.get(0).getMessage());
    }

    @Override
    public void publish(LogRecord line) {
      records.add(line);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      LOGGER.removeHandler(this);
    }
  }
}
