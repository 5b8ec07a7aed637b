package dev.peregrine.wire.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.peregrine.wire.FakeTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people see of a connection in the log. */
class LogLinesTest {

  private final Logger logger = Logger.getLogger("dev.peregrine");
  private final Logger frames = Logger.getLogger("dev.peregrine.http2");
  private final List<String> lines = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          lines.add(entry.getLevel() + " " + entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private final FakeTransport transport = new FakeTransport();

  @BeforeEach
  void listen() {
    handler.setLevel(Level.ALL);
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void stop() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
    frames.setLevel(null);
  }

  private void play(String... input) {
    TraceFrames peer = new TraceFrames();
    Http2Connection connection =
        new Http2Connection(transport, new FakeHandler(), Http2Limits.STANDARD, 0);
    for (String line : input) {
      byte[] bytes = peer.bytes(line);
      connection.receive(bytes, 0, bytes.length, 0);
    }
  }

  @Test
  void exceededLimitIsForTheTransportToTell() {
    play("preface; SETTINGS; SETTINGS ack", "300x PING 0000000000000000", "PING 0000000000000000");
    assertEquals(
        List.of("PING_FRAMES too many PING frames: limit is 200 at once, 7 per second"),
        transport.limits());
    assertEquals(List.of(), lines);
  }

  @Test
  void breachOfTheProtocolIsNotLoggedByDefault() {
    play("preface; SETTINGS; SETTINGS ack", "DATA 1 x");
    assertEquals(List.of(), lines);
  }

  @Test
  void framesAreOneLineEachWhenTracing() {
    frames.setLevel(Level.FINER);
    play(
        "preface; SETTINGS",
        "CALL 1 /a",
        "DATA 1 end @pad=2 hello",
        "FRAME type=255 flags=128 id=0");
    String peer = transport.peer().toString();
    assertEquals(
        List.of(
            " < SETTINGS 0, 18 bytes",
            " < WINDOW_UPDATE 0, 4 bytes",
            " > SETTINGS 0, 0 bytes",
            " < SETTINGS 0, ACK, 0 bytes",
            " > HEADERS 1, END_HEADERS, 33 bytes",
            " > DATA 1, END_STREAM PADDED, 8 bytes",
            " < HEADERS 1, END_HEADERS, 14 bytes",
            " < DATA 1, 5 bytes",
            " < HEADERS 1, END_STREAM END_HEADERS, 12 bytes",
            " > type 255 0, 0x80, 0 bytes"),
        lines.stream().map(line -> line.substring(line.indexOf(peer) + peer.length())).toList());
  }
}
