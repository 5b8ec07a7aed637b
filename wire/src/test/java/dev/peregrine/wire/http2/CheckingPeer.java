package dev.peregrine.wire.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.wire.hpack.HpackDecoder;
import dev.peregrine.wire.hpack.HpackException;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A peer that believes nothing: keeps its own account of windows, states and compression, and fails
 * when the engine's output breaks a rule. Loop-confined.
 */
final class CheckingPeer {

  private static final int NO_LIMIT = 1 << 24;

  private static final class Stream {
    long sendWindow;
    long received;
    boolean requestEnded;
    boolean responseEnded;
    boolean reset;
  }

  /** The byte that a stream's content has at a place, so that nothing can be mixed up unseen. */
  static byte content(int id, long position) {
    return (byte) (id * 7L + position * 31 + (position >> 8));
  }

  private final HpackDecoder decoder = new HpackDecoder(4096, NO_LIMIT, NO_LIMIT);
  private final Map<Integer, Stream> streams = new HashMap<>();
  private final ByteArrayOutputStream block = new ByteArrayOutputStream();
  private long connectionWindow = 65_535;
  private long initialWindow = 65_535;
  private int maxFrameBytes = 16_384;
  private int settingsToAck;
  private int pingsToAck;
  private int frames;
  private int blockStream;
  private boolean goneAway;

  // What this peer sends; told before the engine hears it.

  void opens(int id, boolean end) {
    Stream stream = streams.computeIfAbsent(id, key -> new Stream());
    stream.sendWindow = initialWindow;
    stream.requestEnded = end;
  }

  void ends(int id) {
    Stream stream = streams.get(id);
    if (stream != null) {
      stream.requestEnded = true;
    }
  }

  void grants(int id, int increment) {
    if (id == 0) {
      connectionWindow += increment;
    } else if (streams.containsKey(id)) {
      streams.get(id).sendWindow += increment;
    }
  }

  void sendsInitialWindow(int bytes) {
    settingsToAck++;
    streams.values().forEach(stream -> stream.sendWindow += bytes - initialWindow);
    initialWindow = bytes;
  }

  void sendsMaxFrame(int bytes) {
    settingsToAck++;
    maxFrameBytes = bytes;
  }

  void sendsSettings() {
    settingsToAck++;
  }

  void pings() {
    pingsToAck++;
  }

  // What the engine sends

  void hears(byte[] bytes) {
    int at = 0;
    while (at < bytes.length) {
      int length = Octets.int24(bytes, at);
      int end = at + 9 + length;
      assertTrue(end <= bytes.length, "output ends inside a frame");
      assertTrue(length <= maxFrameBytes, "frame is too large");
      assertFalse(goneAway, "frame after the last GOAWAY");
      int type = bytes[at + 3];
      int id = Octets.int32(bytes, at + 5);
      assertTrue(blockStream == 0 || type == 9, "frame inside a field block");
      assertTrue(frames++ > 0 || type == 4, "first frame is SETTINGS");
      hear(type, bytes[at + 4], id, Arrays.copyOfRange(bytes, at + 9, end));
      at = end;
    }
  }

  private void hear(int type, int flags, int id, byte[] payload) {
    switch (type) {
      case 0 -> {
        Stream stream = live(id);
        assertFalse(stream.responseEnded, "DATA after the end");
        stream.sendWindow -= payload.length;
        connectionWindow -= payload.length;
        assertTrue(payload.length == 0 || stream.sendWindow >= 0, "stream window is overrun");
        assertTrue(payload.length == 0 || connectionWindow >= 0, "window is overrun");
        for (byte value : payload) {
          assertEquals(content(id, stream.received++), value, "content");
        }
        stream.responseEnded = (flags & 1) != 0;
      }
      case 1 -> {
        Stream stream = live(id);
        assertFalse(stream.responseEnded, "HEADERS after the end");
        stream.responseEnded = (flags & 1) != 0;
        block(id, flags, payload);
      }
      case 9 -> {
        assertEquals(blockStream, id);
        block(id, flags, payload);
      }
      case 3 -> {
        Stream stream = live(id);
        assertFalse(stream.responseEnded && stream.requestEnded, "RST_STREAM after the end");
        stream.reset = true;
      }
      case 4 -> {
        if ((flags & 1) != 0) {
          assertTrue(settingsToAck-- > 0, "SETTINGS ACK for nothing");
        }
      }
      case 6 -> {
        if ((flags & 1) != 0) {
          assertTrue(pingsToAck-- > 0, "PING ACK for nothing");
        }
      }
      case 7 -> goneAway = Octets.int32(payload, 4) != 0;
      case 8 -> {
        assertTrue(Octets.int32(payload, 0) > 0, "WINDOW_UPDATE of nothing");
        assertTrue(id == 0 || !live(id).requestEnded, "WINDOW_UPDATE after the end");
      }
      default -> throw new AssertionError("frame of type " + type);
    }
  }

  private Stream live(int id) {
    Stream stream = streams.get(id);
    assertNotNull(stream, "frame on a stream nobody opened");
    assertFalse(stream.reset, "frame after RST_STREAM");
    return stream;
  }

  private void block(int id, int flags, byte[] payload) {
    block.writeBytes(payload);
    blockStream = id;
    if ((flags & 4) != 0) {
      blockStream = 0;
      try {
        decoder.decode(block.toByteArray(), 0, block.size());
      } catch (HpackException e) {
        throw new AssertionError("bad field block", e);
      }
      block.reset();
    }
  }

  /** At the end of everything: what must be answered has been. */
  void checkAnswered() {
    assertEquals(0, settingsToAck, "SETTINGS without ACK");
    assertEquals(0, pingsToAck, "PING without ACK");
  }
}
