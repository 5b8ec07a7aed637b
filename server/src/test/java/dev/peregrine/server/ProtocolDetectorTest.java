package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.peregrine.server.ProtocolDetector.Protocol;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtocolDetectorTest {

  private static Protocol detect(byte[] bytes, int length) {
    byte[] shifted = new byte[length + 7];
    System.arraycopy(bytes, 0, shifted, 7, length);
    return ProtocolDetector.detect(shifted, 7, length);
  }

  @ParameterizedTest
  @CsvSource({
    "'', UNDECIDED",
    "P, UNDECIDED",
    "PR, UNDECIDED",
    "PRI, HTTP2",
    "PRI * HTTP/2.0, HTTP2",
    "PUT, HTTP1",
    "POST /x HTTP/1.1, HTTP1",
    "PATCH, HTTP1",
    "PROPFIND, HTTP1",
    "GET, HTTP1",
    "M-SEARCH, HTTP1",
    "DELETE, HTTP1",
    "DRPC!!!1, HTTP1",
    "get, UNKNOWN",
    "P!, UNKNOWN",
    "-GET, UNKNOWN",
    "'PR ', UNKNOWN",
  })
  void toldByItsFirstBytes(String text, Protocol expected) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    assertEquals(expected, detect(bytes, bytes.length));
  }

  @ParameterizedTest
  @CsvSource({"16, UNDECIDED", "1603, TLS", "160301, TLS", "1602, UNKNOWN", "00, UNKNOWN"})
  void binaryIsToldByItsFirstBytes(String hex, Protocol expected) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertEquals(expected, detect(bytes, bytes.length));
  }

  /** Every first three bytes there are: three always decide, and decide as fewer did. */
  @Test
  void decisionStandsWhateverFollows() {
    byte[] bytes = new byte[3];
    int http2 = 0;
    for (int all = 0; all < 1 << 24; all++) {
      bytes[0] = (byte) (all >> 16);
      bytes[1] = (byte) (all >> 8);
      bytes[2] = (byte) all;
      Protocol one = ProtocolDetector.detect(bytes, 0, 1);
      Protocol two = ProtocolDetector.detect(bytes, 0, 2);
      Protocol three = ProtocolDetector.detect(bytes, 0, 3);
      if (three == Protocol.UNDECIDED
          || (two != Protocol.UNDECIDED && two != three)
          || (one != Protocol.UNDECIDED && one != two)) {
        throw new AssertionError(HexFormat.of().formatHex(bytes));
      }
      http2 += three == Protocol.HTTP2 ? 1 : 0;
    }
    assertEquals(1, http2);
  }
}
