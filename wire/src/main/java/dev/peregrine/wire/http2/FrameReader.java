package dev.peregrine.wire.http2;

import dev.peregrine.wire.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Cuts the peer's bytes into frames and checks their syntax: lengths, padding, stream identifiers
 * that a type demands, the order inside a field block. Loop-confined, one per connection.
 *
 * <p>Calls {@link Http2Connection} with primitives and slices; whether a frame is legal for its
 * stream is decided there. Works on the lent slice. Content of DATA is passed on as it arrives; of
 * any other unfinished frame the tail is kept until the rest is here, which is at most one frame.
 */
final class FrameReader {

  /** RFC 9113, 3.4: what a client says first. */
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] NOTHING = {};

  private final Http2Connection connection;
  private final FrameLog log; // or null
  private final int maxFrameBytes;

  private int prefaceBytes;
  private boolean settingsSeen;

  /** The stream whose field block is being received, or 0. */
  private int blockStreamId;

  /** What is still to come of the current DATA frame, in bytes. */
  private int contentLeft;

  private int paddingLeft;
  private boolean inData;

  private byte[] tail = NOTHING;
  private int tailBytes;

  /** When the unfinished frame began, or had its header complete. */
  private long tailSinceNanos;

  /** Where the next unread byte of the lent slice is. */
  private int position;

  FrameReader(Http2Connection connection, FrameLog log, int maxFrameBytes) {
    this.log = log;
    this.connection = connection;
    this.maxFrameBytes = maxFrameBytes;
  }

  /** Whether the client's preface and its first SETTINGS have arrived. */
  boolean opened() {
    return settingsSeen;
  }

  /**
   * Since when the rest of a frame is awaited, of which more than the header is needed, or {@link
   * Long#MAX_VALUE}. Content of DATA may come as slowly as it likes: it is not held here.
   */
  long unfinishedSinceNanos() {
    return tail.length > Frame.HEADER_BYTES ? tailSinceNanos : Long.MAX_VALUE;
  }

  /** What is kept of a frame that is not whole, in bytes. */
  int keptBytes() {
    return tail.length;
  }

  /** Where to go on after {@link #read} threw a {@link StreamError}. */
  int position() {
    return position;
  }

  /** Reads all of a slice, as long as the connection is open. */
  void read(byte[] bytes, int offset, int end) throws StreamError, ConnectionError {
    position = offset;
    while (position < end && !connection.stopped()) {
      if (inData) {
        readContent(bytes, end);
      } else if (tailBytes > 0) {
        readIntoTail(bytes, end);
      } else if (prefaceBytes < PREFACE.length) {
        readPreface(bytes, end);
      } else {
        readFrame(bytes, end);
      }
    }
  }

  private void readPreface(byte[] bytes, int end) throws ConnectionError {
    while (position < end && prefaceBytes < PREFACE.length) {
      if (bytes[position++] != PREFACE[prefaceBytes++]) {
        throw ConnectionError.protocol("not the HTTP/2 client preface");
      }
    }
  }

  /** Reads a frame that begins at the position, or puts its beginning aside. */
  private void readFrame(byte[] bytes, int end) throws StreamError, ConnectionError {
    int available = end - position;
    if (available < Frame.HEADER_BYTES) {
      keepTail(bytes, available, Frame.HEADER_BYTES);
      return;
    }
    int wanted = wantedBytes(bytes, position);
    if (available < wanted) {
      keepTail(bytes, available, wanted);
      return;
    }
    int start = position;
    position += wanted;
    dispatch(bytes, start);
  }

  private void keepTail(byte[] bytes, int available, int wanted) {
    tail = new byte[wanted];
    tailSinceNanos = connection.nowNanos();
    System.arraycopy(bytes, position, tail, 0, available);
    tailBytes = available;
    position += available;
  }

  private void readIntoTail(byte[] bytes, int end) throws StreamError, ConnectionError {
    int length = Math.min(tail.length - tailBytes, end - position);
    System.arraycopy(bytes, position, tail, tailBytes, length);
    tailBytes += length;
    position += length;
    if (tailBytes < tail.length) {
      return;
    }
    int wanted = wantedBytes(tail, 0);
    if (wanted > tail.length) {
      tail = Arrays.copyOf(tail, wanted);
      tailSinceNanos = connection.nowNanos();
      return;
    }
    byte[] frame = tail;
    tail = NOTHING;
    tailBytes = 0;
    dispatch(frame, 0);
  }

  /**
   * How much of a frame must be here before it is dispatched, in bytes: all of it, but of DATA only
   * what precedes the content. Checks what can be told from the frame header.
   */
  private int wantedBytes(byte[] bytes, int at) throws ConnectionError {
    int length = Octets.int24(bytes, at);
    int type = bytes[at + 3] & 0xff;
    int flags = bytes[at + 4];
    // RFC 9113, 4.2. For DATA a stream error would do, but then all of it must be read.
    if (length > maxFrameBytes) {
      throw ConnectionError.frameSize(
          Frame.name(type) + " of " + length + " bytes, limit is " + maxFrameBytes);
    }
    if (!settingsSeen) {
      // RFC 9113, 3.4: SETTINGS is the first frame.
      if (type != Frame.SETTINGS || (flags & Frame.FLAG_ACK) != 0) {
        throw ConnectionError.protocol("first frame is not SETTINGS");
      }
    }
    // RFC 9113, 4.3: a field block is contiguous, so that no other frame, even unknown, is inside.
    if (blockStreamId != 0
        && (type != Frame.CONTINUATION || streamId(bytes, at) != blockStreamId)) {
      throw ConnectionError.protocol(Frame.name(type) + " inside a field block");
    }
    if (type != Frame.DATA) {
      return Frame.HEADER_BYTES + length;
    }
    if ((flags & Frame.FLAG_PADDED) == 0) {
      return Frame.HEADER_BYTES;
    }
    if (length == 0) {
      throw ConnectionError.frameSize("padded DATA without a pad length");
    }
    return Frame.HEADER_BYTES + 1;
  }

  private static int streamId(byte[] bytes, int at) {
    // RFC 9113, 4.1: the reserved bit is ignored.
    return Octets.int32(bytes, at + 5) & Frame.MASK_31;
  }

  private void dispatch(byte[] bytes, int at) throws StreamError, ConnectionError {
    int length = Octets.int24(bytes, at);
    int type = bytes[at + 3] & 0xff;
    int flags = bytes[at + 4];
    int streamId = streamId(bytes, at);
    int payload = at + Frame.HEADER_BYTES;
    if (log != null) {
      log.received(length, type, flags, streamId);
    }
    switch (type) {
      case Frame.DATA -> startData(bytes, payload, length, flags, streamId);
      case Frame.HEADERS -> readHeaders(bytes, payload, length, flags, streamId);
      case Frame.PRIORITY -> readPriority(bytes, payload, length, streamId);
      case Frame.RST_STREAM -> readReset(bytes, payload, length, streamId);
      case Frame.SETTINGS -> readSettings(bytes, payload, length, flags, streamId);
      case Frame.PUSH_PROMISE -> throw ConnectionError.protocol("PUSH_PROMISE from a client");
      case Frame.PING -> readPing(bytes, payload, length, flags, streamId);
      case Frame.GOAWAY -> readGoAway(length, streamId);
      case Frame.WINDOW_UPDATE -> readWindowUpdate(bytes, payload, length, streamId);
      case Frame.CONTINUATION -> readContinuation(bytes, payload, length, flags, streamId);
      // RFC 9113, 5.5: frames of unknown types are ignored.
      default -> connection.onIgnoredFrame();
    }
  }

  private void startData(byte[] bytes, int payload, int length, int flags, int streamId)
      throws StreamError, ConnectionError {
    requireStream(streamId, Frame.DATA);
    int padding = 0;
    int content = length;
    if ((flags & Frame.FLAG_PADDED) != 0) {
      padding = bytes[payload] & 0xff;
      content = length - 1 - padding;
      requirePadding(content);
    }
    boolean end = (flags & Frame.FLAG_END_STREAM) != 0;
    contentLeft = content;
    paddingLeft = padding;
    inData = content + padding > 0;
    connection.onData(streamId, length, content, end);
    if (content == 0) {
      connection.onContent(bytes, payload, 0, true);
    }
  }

  private void readContent(byte[] bytes, int end) throws StreamError {
    int at = position;
    int content = Math.min(contentLeft, end - at);
    contentLeft -= content;
    int padding = contentLeft > 0 ? 0 : Math.min(paddingLeft, end - at - content);
    paddingLeft -= padding;
    position = at + content + padding;
    inData = contentLeft + paddingLeft > 0;
    if (content > 0) {
      connection.onContent(bytes, at, content, contentLeft == 0);
    }
  }

  private void readHeaders(byte[] bytes, int payload, int length, int flags, int streamId)
      throws StreamError, ConnectionError {
    requireStream(streamId, Frame.HEADERS);
    int at = payload;
    int left = length;
    int padding = 0;
    if ((flags & Frame.FLAG_PADDED) != 0) {
      if (left < 1) {
        throw ConnectionError.frameSize("padded HEADERS without a pad length");
      }
      padding = bytes[at] & 0xff;
      at++;
      left--;
    }
    int parent = 0;
    if ((flags & Frame.FLAG_PRIORITY) != 0) {
      if (left < Frame.PRIORITY_BYTES) {
        throw ConnectionError.frameSize("HEADERS too short for its priority");
      }
      parent = Octets.int32(bytes, at) & Frame.MASK_31;
      at += Frame.PRIORITY_BYTES;
      left -= Frame.PRIORITY_BYTES;
    }
    left -= padding;
    requirePadding(left);
    boolean endHeaders = (flags & Frame.FLAG_END_HEADERS) != 0;
    blockStreamId = endHeaders ? 0 : streamId;
    boolean endStream = (flags & Frame.FLAG_END_STREAM) != 0;
    if (endHeaders) {
      connection.onFieldBlock(streamId, parent, endStream, bytes, at, left);
    } else {
      connection.onFieldBlockStart(streamId, parent, endStream, bytes, at, left);
    }
  }

  private void readContinuation(byte[] bytes, int payload, int length, int flags, int streamId)
      throws StreamError, ConnectionError {
    // RFC 9113, 6.10: inside a field block the stream was compared with the block's already.
    if (blockStreamId == 0) {
      throw ConnectionError.protocol("CONTINUATION on stream " + streamId + " outside a block");
    }
    boolean endHeaders = (flags & Frame.FLAG_END_HEADERS) != 0;
    if (endHeaders) {
      blockStreamId = 0;
    }
    connection.onFieldBlockPart(bytes, payload, length, endHeaders);
  }

  private void readPriority(byte[] bytes, int payload, int length, int streamId)
      throws StreamError, ConnectionError {
    requireStream(streamId, Frame.PRIORITY);
    if (length != Frame.PRIORITY_BYTES) {
      // RFC 9113, 6.3: of the stream, not of the connection.
      throw new StreamError(streamId, ErrorCode.FRAME_SIZE_ERROR, "PRIORITY is not 5 bytes long");
    }
    connection.onPriority(streamId, Octets.int32(bytes, payload) & Frame.MASK_31);
  }

  private void readReset(byte[] bytes, int payload, int length, int streamId)
      throws ConnectionError {
    requireStream(streamId, Frame.RST_STREAM);
    requireLength(length, Frame.RST_STREAM_BYTES, Frame.RST_STREAM);
    connection.onReset(streamId, Octets.int32(bytes, payload));
  }

  private void readSettings(byte[] bytes, int payload, int length, int flags, int streamId)
      throws ConnectionError {
    requireConnection(streamId, Frame.SETTINGS);
    if ((flags & Frame.FLAG_ACK) != 0) {
      requireLength(length, 0, Frame.SETTINGS);
      connection.onSettingsAck();
      return;
    }
    if (length % Settings.ENTRY_BYTES != 0) {
      throw ConnectionError.frameSize("SETTINGS is not a multiple of 6 bytes long");
    }
    settingsSeen = true;
    connection.onSettings(bytes, payload, length);
  }

  private void readPing(byte[] bytes, int payload, int length, int flags, int streamId)
      throws ConnectionError {
    requireConnection(streamId, Frame.PING);
    requireLength(length, Frame.PING_BYTES, Frame.PING);
    connection.onPing(Octets.int64(bytes, payload), (flags & Frame.FLAG_ACK) != 0);
  }

  private void readGoAway(int length, int streamId) throws ConnectionError {
    requireConnection(streamId, Frame.GOAWAY);
    if (length < Frame.GOAWAY_BYTES) {
      throw ConnectionError.frameSize("GOAWAY is shorter than 8 bytes");
    }
    // It limits the streams we open, which are none; the peer closes when it is done.
    connection.onIgnoredFrame();
  }

  private void readWindowUpdate(byte[] bytes, int payload, int length, int streamId)
      throws StreamError, ConnectionError {
    requireLength(length, Frame.WINDOW_UPDATE_BYTES, Frame.WINDOW_UPDATE);
    connection.onWindowUpdate(streamId, Octets.int32(bytes, payload) & Frame.MASK_31);
  }

  private static void requireStream(int streamId, int type) throws ConnectionError {
    if (streamId == 0) {
      throw ConnectionError.protocol(Frame.name(type) + " on stream 0");
    }
  }

  private static void requireConnection(int streamId, int type) throws ConnectionError {
    if (streamId != 0) {
      throw ConnectionError.protocol(Frame.name(type) + " on stream " + streamId);
    }
  }

  private static void requireLength(int length, int expected, int type) throws ConnectionError {
    if (length != expected) {
      throw ConnectionError.frameSize(Frame.name(type) + " is not " + expected + " bytes long");
    }
  }

  /** RFC 9113, 6.1 and 6.2: padding that is as long as what is left of the payload or longer. */
  private static void requirePadding(int contentBytes) throws ConnectionError {
    if (contentBytes < 0) {
      throw ConnectionError.protocol("padding is longer than the frame");
    }
  }
}
