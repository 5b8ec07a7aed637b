package dev.peregrine.wire.http2;

import java.util.ArrayList;
import java.util.List;

/**
 * The open streams by identifier, and what is remembered of closed ones. Loop-confined, one per
 * connection. Owns no memory before the first stream.
 *
 * <p>Open addressing with linear probing. Clients count up by two, so that the identifier's half is
 * as good as a perfect hash.
 */
final class StreamTable {

  private static final int INITIAL_SLOTS = 16;

  /** Beyond this many slots the memory is given back when the last stream ends. */
  private static final int KEPT_SLOTS = 64;

  /**
   * How many identifiers back the manner of a stream's end is known exactly. Of older ones it is
   * only known that they are over. A power of two.
   */
  private static final int RECENT = 128;

  private static final int HOW_BITS = 2;
  private static final int HOW_MASK = (1 << HOW_BITS) - 1;
  private static final int ENDED = 1;
  private static final int RESET_SENT = 2;
  private static final int RESET_RECEIVED = 3;

  private static final Http2Stream[] NONE = {};

  private Http2Stream[] slots;
  private int size;

  /** By the identifier's half: that half, and in the lowest bits how the stream ended. */
  private int[] recent;

  private int lastStreamId;

  /** From here to the last one, every odd identifier has been opened. */
  private int runStartId;

  int size() {
    return size;
  }

  /** The highest identifier the peer has opened a stream with, or 0. */
  int lastStreamId() {
    return lastStreamId;
  }

  /** The open stream, or {@code null}. */
  Http2Stream get(int streamId) {
    if (size == 0) {
      return null;
    }
    int mask = slots.length - 1;
    for (int i = home(streamId, mask); ; i = (i + 1) & mask) {
      Http2Stream stream = slots[i];
      if (stream == null || stream.id() == streamId) {
        return stream;
      }
    }
  }

  /** The peer opened a stream, whatever becomes of it; {@code streamId} is odd and the highest. */
  void opened(int streamId) {
    if (streamId != lastStreamId + 2) {
      runStartId = streamId;
    }
    lastStreamId = streamId;
  }

  void add(Http2Stream stream) {
    if (slots == null) {
      slots = new Http2Stream[INITIAL_SLOTS];
    } else if (size * 2 >= slots.length) {
      grow();
    }
    insert(stream);
    size++;
  }

  private void insert(Http2Stream stream) {
    int mask = slots.length - 1;
    int i = home(stream.id(), mask);
    while (slots[i] != null) {
      i = (i + 1) & mask;
    }
    slots[i] = stream;
  }

  private void grow() {
    Http2Stream[] old = slots;
    slots = new Http2Stream[old.length * 2];
    for (Http2Stream stream : old) {
      if (stream != null) {
        insert(stream);
      }
    }
  }

  /** Takes out an open stream which is closed now. */
  void remove(Http2Stream stream) {
    int mask = slots.length - 1;
    int hole = home(stream.id(), mask);
    while (slots[hole] != stream) {
      hole = (hole + 1) & mask;
    }
    // Close the gap, so that no search ends in it: move up whoever could live in the hole.
    int i = hole;
    while (true) {
      i = (i + 1) & mask;
      Http2Stream next = slots[i];
      if (next == null) {
        break;
      }
      int distanceFromHome = (i - home(next.id(), mask)) & mask;
      int distanceFromHole = (i - hole) & mask;
      if (distanceFromHome >= distanceFromHole) {
        slots[hole] = next;
        hole = i;
      }
    }
    slots[hole] = null;
    size--;
    if (size == 0 && slots.length > KEPT_SLOTS) {
      slots = null;
    }
    remember(stream.id(), stream.state());
  }

  /** Notes how a stream ended. */
  void remember(int streamId, StreamState state) {
    if (recent == null) {
      recent = new int[RECENT];
    }
    int how = state == StreamState.CLOSED ? ENDED : RESET_SENT;
    if (state == StreamState.RESET_RECEIVED) {
      how = RESET_RECEIVED;
    }
    int half = streamId >>> 1;
    recent[half & (RECENT - 1)] = half << HOW_BITS | how;
  }

  /**
   * The state of a stream that is not open. Of one that has been forgotten it is RESET_SENT: late
   * frames on it are ignored and cost nothing.
   */
  StreamState closedState(int streamId) {
    if (isIdle(streamId)) {
      return StreamState.IDLE;
    }
    return switch (howEnded(streamId)) {
      case ENDED -> StreamState.CLOSED;
      case RESET_RECEIVED -> StreamState.RESET_RECEIVED;
      default -> StreamState.RESET_SENT;
    };
  }

  /** Whether neither side can have used this identifier: it is ours, or higher than the last. */
  boolean isIdle(int streamId) {
    return streamId > lastStreamId || (streamId & 1) == 0;
  }

  /**
   * Whether the stream is known to have been open. If not, a lower identifier than the last one was
   * skipped, which closed it (RFC 9113, 5.1.1), or it is older than we remember.
   */
  boolean wasOpen(int streamId) {
    return !isIdle(streamId) && (streamId >= runStartId || howEnded(streamId) != 0);
  }

  private int howEnded(int streamId) {
    int half = streamId >>> 1;
    if (recent == null) {
      return 0;
    }
    int entry = recent[half & (RECENT - 1)];
    return entry >>> HOW_BITS == half ? entry & HOW_MASK : 0;
  }

  /** All open streams, with gaps; the array is the table's own. */
  Http2Stream[] slots() {
    return slots == null ? NONE : slots;
  }

  /** Takes all open streams out. */
  List<Http2Stream> clear() {
    List<Http2Stream> all = new ArrayList<>(size);
    for (Http2Stream stream : slots()) {
      if (stream != null) {
        all.add(stream);
      }
    }
    slots = null;
    size = 0;
    return all;
  }

  private static int home(int streamId, int mask) {
    return (streamId >>> 1) & mask;
  }
}
