package dev.peregrine.wire.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.peregrine.wire.FakeTransport;
import dev.peregrine.wire.HttpStream;
import org.junit.jupiter.api.Test;

/** Faults of the call layer surface at its own line, and never reach the peer. */
class CallerMisuseTest {

  private final FakeTransport transport = new FakeTransport();
  private final FakeHandler handler = new FakeHandler();
  private final Http2Connection connection =
      new Http2Connection(transport, handler, Http2Limits.STANDARD, 0);

  /** A call whose content has to wait. */
  private HttpStream heldCall() {
    byte[] input =
        new TraceFrames()
            .bytes("preface; SETTINGS INITIAL_WINDOW_SIZE=0; SETTINGS ack; CALL 1 /hold end");
    connection.receive(input, 0, input.length, 0);
    transport.endBurst();
    transport.takeSent();
    return handler.stream(1);
  }

  @Test
  void nothingMayFollowTheEndOfAResponseThatIsStillQueued() {
    HttpStream stream = heldCall();
    stream.head(FakeHandler.HEAD, null, false);
    stream.data(new byte[5], 0, 5, false);
    stream.trailers(FakeHandler.OK, null);
    assertThrows(IllegalStateException.class, () -> stream.trailers(FakeHandler.OK, null));
    assertThrows(IllegalStateException.class, () -> stream.head(FakeHandler.HEAD, null, false));
    assertThrows(IllegalStateException.class, () -> stream.data(new byte[1], 0, 1, true));
    assertEquals(-1, stream.claim(5));
    assertEquals(5, stream.queuedBytes());
  }

  @Test
  void headerSectionMayNotFollowContent() {
    HttpStream stream = heldCall();
    stream.head(FakeHandler.HEAD, null, false);
    stream.data(new byte[5], 0, 5, false);
    assertThrows(IllegalStateException.class, () -> stream.head(FakeHandler.HEAD, null, false));
    assertEquals(1, connection.openStreams());
  }

  @Test
  void creditBeyondWhatWasReceivedIsNotGranted() {
    byte[] input =
        new TraceFrames().bytes("preface; SETTINGS; SETTINGS ack; CALL 1 /hold; DATA 1 hello");
    connection.receive(input, 0, input.length, 0);
    transport.endBurst();
    transport.takeSent();
    handler.stream(1).credit(Integer.MAX_VALUE);
    handler.stream(1).credit(-5);
    transport.endBurst();
    assertEquals(0, transport.takeSent().length);
    assertEquals(0, connection.receiveWindow().unreadBytes());
  }
}
