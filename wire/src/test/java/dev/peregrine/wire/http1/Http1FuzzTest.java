package dev.peregrine.wire.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.peregrine.wire.FakeTransport;
import dev.peregrine.wire.QuietLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arbitrary bytes into the parser and into the whole engine. */
@ExtendWith(QuietLog.class)
class Http1FuzzTest {

  private static final int TEXTS = 1_000;
  private static final int MAX_PIECES = 40;

  /** What requests are made of, and what they are broken with. */
  private static final String[] PIECES = {
    "GET /a HTTP/1.1\r\n",
    "GET /a HTTP/1.1\r\nHost: x\r\n\r\n",
    "POST /a HTTP/1.1\r\nHost: x\r\n",
    "POST /early HTTP/1.1\r\nHost: x\r\n",
    "POST /hold HTTP/1.0\r\n",
    "HEAD /size/70 HTTP/1.1\r\nHost: x\r\n",
    "OPTIONS * HTTP/1.1\r\n",
    "GET http://x/chunks/3 HTTP/1.1\r\n",
    "GET ",
    "/a",
    " HTTP/1.1",
    "Host: x\r\n",
    "Content-Length: 3\r\n\r\n",
    "Content-Length: 3\r\n",
    "Transfer-Encoding: chunked\r\n\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Connection: close\r\n",
    "Connection: keep-alive\r\n",
    "3\r\nabc\r\n",
    "0\r\n\r\n",
    "0\r\n",
    "3;x=y\r\n",
    "abc",
    "A: b\r\n",
    "\r\n",
    "\r\n\r\n",
    "\r",
    "\n",
    " ",
    ":",
    "\0",
    "\u00ff"
  };

  /** A head is the same, or wrong in the same way, however its bytes are cut. */
  @FuzzTest
  void headsMeanTheSameHoweverCut(byte[] data) {
    assertEquals(head(data, Integer.MAX_VALUE), head(data, 1));
  }

  private static String head(byte[] data, int step) {
    RequestParser parser = new RequestParser(Http1Limits.STANDARD);
    try {
      for (int end = Math.min(step, data.length); ; end += step) {
        RequestHead head = parser.read(data, 0, end);
        if (head != null) {
          assertTrue(parser.headBytes() <= data.length);
          return head.headers()
              + head.version().toString()
              + head.contentBytes()
              + head.keepsAlive()
              + parser.headBytes();
        }
        if (end >= data.length) {
          return "more";
        }
      }
    } catch (RequestError e) {
      return e.status() + e.getMessage();
    }
  }

  /**
   * Nothing is thrown, every response is whole, and both the call layer and the peer get the same
   * however the bytes are cut.
   */
  @FuzzTest
  void arbitraryBytesMeanTheSameHoweverCut(byte[] data) {
    // Whether 100 is needed depends on how much of the content is here already.
    String text = new String(data, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
    List<String> whole = heard(data, Integer.MAX_VALUE);
    List<String> cut = heard(data, 1);
    if (!text.contains("expect")) {
      assertEquals(whole, cut);
    }
  }

  private static List<String> heard(byte[] data, int step) {
    FakeTransport transport = new FakeTransport();
    FakeSite site = new FakeSite();
    Http1Connection connection =
        new Http1Connection(transport, site, Http1Limits.STANDARD, null, 0);
    for (int at = 0; at < data.length && !transport.isClosed(); at += step) {
      int length = Math.min(step, data.length - at);
      byte[] lent = new byte[length];
      System.arraycopy(data, at, lent, 0, length);
      connection.receive(lent, 0, length, 0);
      transport.endBurst();
      if (length < step) {
        break;
      }
    }
    List<String> heard = new ArrayList<>(new SeenResponses().lines(transport.takeSent()));
    connection.closed();
    heard.addAll(site.takeEvents());
    heard.addAll(transport.takeEvents());
    assertEquals(0, connection.openStreams());
    return heard;
  }

  /** The same from seeds, made of pieces, so that every build sees many that are nearly right. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void piecesOfRequestsMeanTheSameHoweverCut(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < TEXTS; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = 1 + random.nextInt(MAX_PIECES); n > 0; n--) {
        text.append(PIECES[random.nextInt(PIECES.length)]);
      }
      byte[] data = text.toString().getBytes(StandardCharsets.ISO_8859_1);
      assertEquals(heard(data, Integer.MAX_VALUE), heard(data, 1), text.toString());
      assertEquals(
          heard(data, Integer.MAX_VALUE), heard(data, 1 + random.nextInt(30)), text.toString());
      headsMeanTheSameHoweverCut(data);
    }
  }
}
