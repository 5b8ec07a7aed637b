package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.peregrine.wire.http1.Http1Connection;
import dev.peregrine.wire.http1.Http1Limits;
import dev.peregrine.wire.http2.Http2Connection;
import dev.peregrine.wire.http2.Http2Limits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A whole connection below the socket: whatever a peer sends, nothing is thrown, what it is sent is
 * well formed, and no call stays open behind it.
 */
class WholeConnectionFuzzTest {

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int SETTINGS = 4;
  private static final int FRAME_HEADER_BYTES = 9;

  @FuzzTest
  void http2ConnectionEndsAllItsCalls(FuzzedDataProvider data) {
    FuzzedSession session = new FuzzedSession(data, true);
    session.begin(
        new Http2Connection(
            session.transport(), session.router(), Http2Limits.STANDARD, session.nowNanos()));
    session.receive(PREFACE);
    session.receive(FuzzedRequests.frame(SETTINGS, 0, 0, new byte[0]));
    session.converse();
    assertEquals(0, session.router().openCalls());
    assertWholeFrames(session.transport().sent());
  }

  @FuzzTest
  void http1ConnectionEndsAllItsCalls(FuzzedDataProvider data) {
    FuzzedSession session = new FuzzedSession(data, false);
    session.begin(
        new Http1Connection(
            session.transport(), session.router(), Http1Limits.STANDARD, null, session.nowNanos()));
    session.converse();
    assertEquals(0, session.router().openCalls());
    String sent = new String(session.transport().sent(), StandardCharsets.ISO_8859_1);
    assertTrue(sent.isEmpty() || sent.startsWith("HTTP/1.1 "), sent);
  }

  private static void assertWholeFrames(byte[] sent) {
    ByteBuffer bytes = ByteBuffer.wrap(sent);
    int at = 0;
    while (at + FRAME_HEADER_BYTES <= sent.length) {
      at += FRAME_HEADER_BYTES + (bytes.getInt(at) >>> 8);
    }
    assertEquals(sent.length, at);
  }
}
