package dev.peregrine.wire.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.peregrine.wire.ErrorCode;
import org.junit.jupiter.api.Test;

class FlowWindowTest {

  private static final int MAX = Integer.MAX_VALUE;

  @Test
  void negativeWindowIsWhatTheRfcWorksOut() throws Exception {
    int window = 65_535 - 60_000;
    assertEquals(-43_616, FlowWindow.adjust(window, 16_384 - 65_535));
    assertEquals(1, FlowWindow.increase(-43_616, 43_617, 1));
  }

  @Test
  void windowMayReachItsLimitAndNotPassIt() throws Exception {
    assertEquals(MAX, FlowWindow.increase(0, MAX, 1));
    assertEquals(MAX, FlowWindow.adjust(MAX - 5, 5));
    StreamError stream = assertThrows(StreamError.class, () -> FlowWindow.increase(1, MAX, 3));
    assertEquals(ErrorCode.FLOW_CONTROL_ERROR, stream.code());
    assertEquals(3, stream.streamId());
    ConnectionError whole =
        assertThrows(ConnectionError.class, () -> FlowWindow.increase(1, MAX, 0));
    assertEquals(ErrorCode.FLOW_CONTROL_ERROR, whole.code());
    ConnectionError settings = assertThrows(ConnectionError.class, () -> FlowWindow.adjust(MAX, 1));
    assertEquals(ErrorCode.FLOW_CONTROL_ERROR, settings.code());
  }

  @Test
  void lowestWindowIsReachedByTheLargestChange() throws Exception {
    assertEquals(-MAX, FlowWindow.adjust(0, -MAX));
    assertEquals(0, FlowWindow.increase(-MAX, MAX, 1));
    assertThrows(ConnectionError.class, () -> FlowWindow.adjust(-1, -MAX));
  }

  @Test
  void dataMayUseUpTheWindowAndNotMore() throws Exception {
    assertEquals(0, FlowWindow.receive(10, 10, 1));
    assertEquals(-5, FlowWindow.receive(-5, 0, 1));
    assertThrows(StreamError.class, () -> FlowWindow.receive(10, 11, 1));
    assertThrows(ConnectionError.class, () -> FlowWindow.receive(10, 11, 0));
  }
}
