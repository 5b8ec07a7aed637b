package dev.peregrine.wire.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StreamTableTest {

  private final StreamTable table = new StreamTable();

  private static Http2Stream stream(int id) {
    return new Http2Stream(null, id, -1, 0, 0);
  }

  @Test
  void tableBehavesLikeAMap() {
    Random random = new Random(7);
    Map<Integer, Http2Stream> model = new HashMap<>();
    List<Integer> ids = new ArrayList<>();
    int next = 1;
    for (int i = 0; i < 50_000; i++) {
      // Waxes and wanes between nothing and some hundreds, with identifiers that collide.
      boolean wax = random.nextInt(100) < (i / 2_000 % 2 == 0 ? 55 : 45);
      if (wax || ids.isEmpty()) {
        next += 2 * (1 + random.nextInt(random.nextInt(10) == 0 ? 100 : 2));
        table.opened(next);
        Http2Stream stream = stream(next);
        table.add(stream);
        model.put(next, stream);
        ids.add(next);
      } else {
        int id = ids.remove(random.nextInt(ids.size()));
        table.remove(model.remove(id));
        assertNull(table.get(id));
      }
      assertEquals(model.size(), table.size());
      int probe = ids.isEmpty() ? 1 : ids.get(random.nextInt(ids.size()));
      assertSame(model.get(probe), table.get(probe));
    }
    int seen = 0;
    for (Http2Stream stream : table.slots()) {
      if (stream != null) {
        assertSame(model.get(stream.id()), stream);
        seen++;
      }
    }
    assertEquals(model.size(), seen);
  }

  @Test
  void removalKeepsCollidingNeighboursReachable() {
    int[] ids = {1, 33, 65, 3, 35}; // 16 slots: 1, 33 and 65 share one, 3 and 35 the next
    Http2Stream[] streams = new Http2Stream[ids.length];
    for (int i = 0; i < ids.length; i++) {
      streams[i] = stream(ids[i]);
      table.add(streams[i]);
    }
    table.remove(streams[0]);
    assertSame(streams[1], table.get(33));
    assertSame(streams[2], table.get(65));
    assertSame(streams[3], table.get(3));
    table.remove(streams[3]);
    assertSame(streams[4], table.get(35));
    assertNull(table.get(3));
  }

  @Test
  void howAStreamEndedIsKnownForTheLatestOnes() {
    for (int id = 1; id <= 511; id += 2) {
      table.opened(id);
      table.remember(id, id % 4 == 1 ? StreamState.CLOSED : StreamState.RESET_RECEIVED);
    }
    assertEquals(StreamState.CLOSED, table.closedState(509));
    assertEquals(StreamState.RESET_RECEIVED, table.closedState(511));
    assertEquals(StreamState.CLOSED, table.closedState(257));
    assertEquals(StreamState.RESET_SENT, table.closedState(255), "forgotten");
    assertEquals(StreamState.IDLE, table.closedState(513));
    assertEquals(StreamState.IDLE, table.closedState(2));
    assertTrue(table.wasOpen(1), "all were opened, so this one was");
  }

  @Test
  void skippedIdentifiersWereNeverOpen() {
    table.opened(1);
    table.opened(3);
    table.opened(9);
    table.remember(3, StreamState.CLOSED);
    assertFalse(table.wasOpen(5));
    assertTrue(table.wasOpen(3));
    assertTrue(table.wasOpen(9));
    assertFalse(table.wasOpen(11));
  }

  @Test
  void highestIdentifierIsRememberedToo() {
    table.opened(Integer.MAX_VALUE);
    table.remember(Integer.MAX_VALUE, StreamState.RESET_RECEIVED);
    assertEquals(StreamState.RESET_RECEIVED, table.closedState(Integer.MAX_VALUE));
  }
}
