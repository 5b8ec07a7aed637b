package dev.peregrine.wire.http2;

import dev.peregrine.wire.Output;
import dev.peregrine.wire.Transport;

/**
 * The connection's send window, and the streams with something to send for which there was no
 * window or no socket room. Loop-confined, one per connection.
 *
 * <p>Window is taken when a frame is written, never reserved, so no stream can sit on window it
 * cannot use. Streams take turns of one frame. Those with little to send go first, since a small
 * reply behind a megabyte of others would wait for nothing it gains from; priorities are ignored.
 */
final class SendQueue {

  /** One turn, and what counts as little, in bytes: the frame size every peer takes. */
  static final int QUANTUM_BYTES = Settings.MIN_MAX_FRAME_BYTES;

  /** Larger frames save nothing more and make the others wait, in bytes. */
  private static final int MAX_FRAME_BYTES = 64 << 10;

  /** So many turns of short replies for one of a long one, so that the long ones move at all. */
  private static final int FRESH_TURNS = 16;

  /**
   * Queued content is written at the latest after this much, in bytes. Four times what calls
   * gather: each write wakes the peer, which for a megabyte costs as much as to copy it
   * (bench/streams, unary-1m). A little less than 256 KiB, the most that leaves in one system call.
   */
  private static final int FLUSH_BYTES = 240 << 10;

  /** What one peer may get in one go while others of the loop wait, in bytes. */
  private static final int PUMP_BYTES = 1 << 20;

  private final Http2Connection connection;
  private final Transport transport;
  private final FrameWriter writer;
  private final Settings peer;
  private final StreamList fresh = new StreamList();
  private final StreamList bulk = new StreamList();

  /** Streams that could go on if the connection's window were open. */
  private final StreamList waiting = new StreamList();

  private int windowBytes = FlowWindow.INITIAL_BYTES;
  private long queuedBytes;
  private long keptBytes;
  private long framesSent;
  private int freshTurns;
  private boolean pumping;

  SendQueue(Http2Connection connection, Transport transport, FrameWriter writer, Settings peer) {
    this.connection = connection;
    this.transport = transport;
    this.writer = writer;
    this.peer = peer;
  }

  /** Content queued in all streams, in bytes. */
  long queuedBytes() {
    return queuedBytes;
  }

  /** The memory kept by content that is queued, in bytes. */
  long keptBytes() {
    return keptBytes;
  }

  /** How many frames of content were sent. */
  long framesSent() {
    return framesSent;
  }

  /** The connection's window, in bytes. */
  int windowBytes() {
    return windowBytes;
  }

  /** WINDOW_UPDATE on stream 0. */
  void increaseWindow(int increment) throws StreamError, ConnectionError {
    windowBytes = FlowWindow.increase(windowBytes, increment, 0);
  }

  /**
   * Writes the header of a DATA frame for a stream with an empty queue, if the whole content may
   * leave now.
   *
   * @return where to put the content, or −1
   */
  int claim(Http2Stream stream, int length, boolean end) {
    if (length > windowBytes
        || length > stream.sendWindowBytes()
        || length > frameLimit()
        || !transport.writable()) {
      return -1;
    }
    // Large content takes its turn with the others'.
    if (length > QUANTUM_BYTES && (hasReady() || !waiting.isEmpty())) {
      return -1;
    }
    takeWindow(stream, length);
    return writer.data(stream.id(), length, end);
  }

  private void takeWindow(Http2Stream stream, int length) {
    framesSent++;
    windowBytes -= length;
    stream.sendWindowTaken(length);
    if (length >= FloodGuard.MIN_WORK_BYTES) {
      connection.guard().worked();
    }
  }

  private boolean hasReady() {
    return !fresh.isEmpty() || !bulk.isEmpty();
  }

  private int frameLimit() {
    return Math.min(peer.maxFrameBytes(), MAX_FRAME_BYTES);
  }

  /** Content was queued on a stream, or ({@code bytes} &lt; 0) dropped or sent. */
  void count(int bytes) {
    queuedBytes += bytes;
  }

  /** Content that is queued keeps more memory, or less. */
  void keep(long bytes) {
    keptBytes += bytes;
  }

  /** Puts a stream with a queue in line, unless it is already, or has no window of its own. */
  void schedule(Http2Stream stream) {
    Chunk first = stream.firstChunk();
    if (first == null || stream.list != null) {
      return;
    }
    if (first.isContent() && stream.queuedBytes() > 0) {
      if (stream.sendWindowBytes() <= 0) {
        return; // its WINDOW_UPDATE or SETTINGS will schedule it
      }
      if (windowBytes <= 0) {
        waiting.add(stream);
        return;
      }
    }
    (stream.queuedBytes() <= QUANTUM_BYTES ? fresh : bulk).add(stream);
  }

  /** Forgets a stream that is over. */
  void remove(Http2Stream stream) {
    if (stream.list != null) {
      stream.list.remove(stream);
    }
  }

  /** Writes as much as windows and socket allow. */
  void pump() {
    if (pumping || (!hasReady() && waiting.isEmpty())) {
      return; // a listener told of room has written, which the loop below goes on with
    }
    pumping = true;
    try {
      long written = 0;
      while (transport.writable()) {
        Http2Stream stream = next();
        if (stream == null) {
          return;
        }
        if (written >= PUMP_BYTES) {
          transport.wake();
          return;
        }
        Output out = transport.output();
        int before = out.totalBytes();
        stream.list.remove(stream);
        turn(stream);
        written += out.totalBytes() - before;
        if (out.totalBytes() >= FLUSH_BYTES) {
          transport.flush();
        }
      }
    } finally {
      pumping = false;
    }
  }

  private Http2Stream next() {
    boolean freshFirst = freshTurns < FRESH_TURNS;
    if (freshFirst && !fresh.isEmpty()) {
      freshTurns++;
      return fresh.first();
    }
    freshTurns = 0;
    if (windowBytes > 0 && !waiting.isEmpty()) {
      return waiting.first();
    }
    return bulk.isEmpty() ? fresh.first() : bulk.first();
  }

  /** One turn: field sections, at most one DATA frame, field sections. */
  private void turn(Http2Stream stream) {
    stream.sendQueuedFields();
    int queued = stream.queuedBytes();
    Chunk first = stream.firstChunk();
    if (first != null) {
      int own = Math.min(stream.sendWindowBytes(), windowBytes);
      int length = Math.min(Math.min(queued, frameLimit()), own);
      if (length > 0 || queued == 0) {
        sendContent(stream, Math.max(length, 0));
      }
    }
    stream.sendQueuedFields();
    schedule(stream);
    stream.drainedFrom(queued);
  }

  private void sendContent(Http2Stream stream, int length) {
    boolean end = stream.endsWith(length);
    takeWindow(stream, length);
    writer.dataHeader(stream.id(), length, end);
    stream.takeContent(transport.output(), length);
    queuedBytes -= length;
    stream.sentData(end);
  }
}
