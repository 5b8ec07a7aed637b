package dev.peregrine.wire.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.wire.FakeTransport;
import dev.peregrine.wire.QuietLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Budgets beyond what the traces show: the passing of time, and honest peers in a hurry. */
@ExtendWith(QuietLog.class)
class FloodGuardTest {

  private static final long SECOND = 1_000_000_000;

  @Test
  void bucketHoldsItsBurstAndRefillsAtItsRate() {
    long now = Long.MAX_VALUE - SECOND / 2; // the clock wraps around in the course of this
    TokenBucket bucket = new TokenBucket(new FloodLimits.Rate(3, 2), now);
    assertTrue(bucket.take(now));
    assertTrue(bucket.take(now));
    assertTrue(bucket.take(now));
    assertFalse(bucket.take(now));
    now += SECOND;
    assertTrue(bucket.take(now));
    assertFalse(bucket.take(now));
    now += 1000 * SECOND;
    assertTrue(bucket.take(now));
    assertTrue(bucket.take(now));
    assertTrue(bucket.take(now));
    assertFalse(bucket.take(now), "a long time fills it once");
  }

  @Test
  void tokenGivenBackMayBeTakenAgain() {
    TokenBucket bucket = new TokenBucket(new FloodLimits.Rate(1, 1), 0);
    for (int i = 0; i < 100; i++) {
      assertTrue(bucket.take(0));
      bucket.giveBack(0);
    }
    bucket.giveBack(0);
    bucket.giveBack(0);
    assertTrue(bucket.take(0));
    assertFalse(bucket.take(0), "a full bucket stays full");
  }

  @Test
  void workIsNotHoardedForAnAttack() throws Exception {
    FloodGuard guard = new FloodGuard(FloodLimits.STANDARD, 0);
    for (int i = 0; i < 1_000_000; i++) {
      guard.worked();
    }
    assertThrows(
        ConnectionError.class,
        () -> {
          for (int i = 0; i < 5_000; i++) {
            guard.ping(0);
          }
        });
  }

  @Test
  void readerOfALongReplyMayUpdateItsWindowsForEachFrame() {
    FakeTransport transport = new FakeTransport();
    TraceFrames peer = new TraceFrames();
    Http2Connection connection =
        new Http2Connection(transport, new FakeHandler(), Http2Limits.STANDARD, 0);
    feed(connection, peer.bytes("preface; SETTINGS; SETTINGS ack; CALL 1 /big/6000000 end"));
    byte[] updates = peer.bytes("WINDOW_UPDATE 1 300; WINDOW_UPDATE 0 300");
    long before = transport.total();
    for (int i = 0; i < 15_000; i++) {
      feed(connection, updates);
      transport.endBurst();
    }
    assertFalse(transport.isClosed());
    assertTrue(transport.total() - before > 15_000 * 300);
  }

  @Test
  void readerOfSingleBytesIsStopped() {
    FakeTransport transport = new FakeTransport();
    TraceFrames peer = new TraceFrames();
    Http2Connection connection =
        new Http2Connection(transport, new FakeHandler(), Http2Limits.STANDARD, 0);
    feed(connection, peer.bytes("preface; SETTINGS INITIAL_WINDOW_SIZE=0; SETTINGS ack"));
    feed(connection, peer.bytes("CALL 1 /big/6000000 end"));
    byte[] update = peer.bytes("WINDOW_UPDATE 1 1");
    int updates = 0;
    while (!transport.isClosed()) {
      feed(connection, update);
      transport.endBurst();
      updates++;
    }
    assertEquals(FloodLimits.STANDARD.windowUpdates().burst() + 1, updates);
  }

  private static void feed(Http2Connection connection, byte[] bytes) {
    connection.receive(bytes, 0, bytes.length, 0);
  }
}
