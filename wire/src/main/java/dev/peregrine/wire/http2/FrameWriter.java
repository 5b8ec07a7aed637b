package dev.peregrine.wire.http2;

import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.Output;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.Transport;
import dev.peregrine.wire.hpack.HpackEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Appends frames to the burst's output. Loop-confined, one per connection. Knows how frames look,
 * not when they may be sent.
 */
final class FrameWriter {

  private final Transport transport;
  private final Settings peer;
  private final FrameLog log; // or null
  private final HpackEncoder encoder = new HpackEncoder();

  FrameWriter(Transport transport, Settings peer, FrameLog log) {
    this.log = log;
    this.transport = transport;
    this.peer = peer;
  }

  /** SETTINGS that differ from the initial values, and the connection's window after them. */
  void opening(Http2Limits limits) {
    boolean frameSize = limits.maxFrameBytes() != Settings.MIN_MAX_FRAME_BYTES;
    boolean tableSize = limits.headerTableBytes() != Settings.INITIAL_HEADER_TABLE_BYTES;
    int entries = 3 + (frameSize ? 1 : 0) + (tableSize ? 1 : 0);
    frameHeader(entries * Settings.ENTRY_BYTES, Frame.SETTINGS, 0, 0);
    setting(Settings.MAX_CONCURRENT_STREAMS, limits.maxConcurrentStreams());
    setting(Settings.INITIAL_WINDOW_SIZE, limits.streamWindowBytes());
    setting(Settings.MAX_HEADER_LIST_SIZE, limits.headerListSoftBytes());
    if (frameSize) {
      setting(Settings.MAX_FRAME_SIZE, limits.maxFrameBytes());
    }
    if (tableSize) {
      setting(Settings.HEADER_TABLE_SIZE, limits.headerTableBytes());
    }
    // RFC 9113, 6.9.2: SETTINGS cannot change the connection's window.
    int increment = limits.connectionWindowBytes() - FlowWindow.INITIAL_BYTES;
    if (increment > 0) {
      windowUpdate(0, increment);
    }
  }

  private void setting(int identifier, int value) {
    Output out = transport.output();
    int at = out.claim(Settings.ENTRY_BYTES);
    Octets.putInt16(out.array(), at, identifier);
    Octets.putInt32(out.array(), at + 2, value);
  }

  void settingsAck() {
    frameHeader(0, Frame.SETTINGS, Frame.FLAG_ACK, 0);
  }

  /** PING with eight opaque bytes as a number. */
  void ping(long opaque, boolean ack) {
    Output out = frameHeader(Frame.PING_BYTES, Frame.PING, ack ? Frame.FLAG_ACK : 0, 0);
    Octets.putInt64(out.array(), out.claim(Frame.PING_BYTES), opaque);
  }

  void goAway(int lastStreamId, ErrorCode code, String debug) {
    byte[] text = debug.getBytes(StandardCharsets.UTF_8);
    Output out = frameHeader(Frame.GOAWAY_BYTES + text.length, Frame.GOAWAY, 0, 0);
    int at = out.claim(Frame.GOAWAY_BYTES);
    Octets.putInt32(out.array(), at, lastStreamId);
    Octets.putInt32(out.array(), at + 4, code.code());
    out.write(text, 0, text.length);
    transport.wentAway(code, debug);
  }

  void reset(int streamId, ErrorCode code) {
    Output out = frameHeader(Frame.RST_STREAM_BYTES, Frame.RST_STREAM, 0, streamId);
    Octets.putInt32(out.array(), out.claim(Frame.RST_STREAM_BYTES), code.code());
  }

  /**
   * @param increment 1 to 2^31 − 1
   */
  void windowUpdate(int streamId, int increment) {
    Output out = frameHeader(Frame.WINDOW_UPDATE_BYTES, Frame.WINDOW_UPDATE, 0, streamId);
    Octets.putInt32(out.array(), out.claim(Frame.WINDOW_UPDATE_BYTES), increment);
  }

  /**
   * The header of a DATA frame, and room for its content.
   *
   * @return where the content begins, which the caller must fill
   */
  int data(int streamId, int length, boolean end) {
    Output out = transport.output();
    int at = out.claim(Frame.HEADER_BYTES + length);
    put(out.array(), at, length, Frame.DATA, end ? Frame.FLAG_END_STREAM : 0, streamId);
    return at + Frame.HEADER_BYTES;
  }

  /** The header of a DATA frame whose content the caller appends. */
  void dataHeader(int streamId, int length, boolean end) {
    frameHeader(length, Frame.DATA, end ? Frame.FLAG_END_STREAM : 0, streamId);
  }

  /** A field section: HEADERS, and CONTINUATION where the peer's frame size demands it. */
  void headers(int streamId, ResponseHead head, Headers extra, boolean end) {
    Output out = transport.output();
    int at = out.claim(Frame.HEADER_BYTES);
    encoder.encode(head, extra, out);
    int blockBytes = out.size() - at - Frame.HEADER_BYTES;
    int flags = end ? Frame.FLAG_END_STREAM : 0;
    if (blockBytes <= peer.maxFrameBytes()) {
      put(out.array(), at, blockBytes, Frame.HEADERS, flags | Frame.FLAG_END_HEADERS, streamId);
    } else {
      split(out, at, blockBytes, flags, streamId);
    }
  }

  /** The first frame is in place; the rest is moved to make room for the headers between. */
  private void split(Output out, int at, int blockBytes, int flags, int streamId) {
    int max = peer.maxFrameBytes();
    put(out.array(), at, max, Frame.HEADERS, flags, streamId);
    int restAt = at + Frame.HEADER_BYTES + max;
    byte[] rest = Arrays.copyOfRange(out.array(), restAt, restAt + blockBytes - max);
    int frames = (rest.length + max - 1) / max;
    out.claim(frames * Frame.HEADER_BYTES);
    byte[] array = out.array();
    for (int from = 0; from < rest.length; from += max) {
      int length = Math.min(max, rest.length - from);
      int last = from + length == rest.length ? Frame.FLAG_END_HEADERS : 0;
      put(array, restAt, length, Frame.CONTINUATION, last, streamId);
      System.arraycopy(rest, from, array, restAt + Frame.HEADER_BYTES, length);
      restAt += Frame.HEADER_BYTES + length;
    }
  }

  /** The peer changed how large our encoder's table may be. */
  void headerTable(int smallestBytes, int bytes) {
    encoder.maxTableBytes(smallestBytes);
    encoder.maxTableBytes(bytes);
  }

  private Output frameHeader(int length, int type, int flags, int streamId) {
    Output out = transport.output();
    int at = out.claim(Frame.HEADER_BYTES);
    put(out.array(), at, length, type, flags, streamId);
    return out;
  }

  private void put(byte[] bytes, int at, int length, int type, int flags, int streamId) {
    if (log != null) {
      log.sent(length, type, flags, streamId);
    }
    Octets.putInt24(bytes, at, length);
    bytes[at + 3] = (byte) type;
    bytes[at + 4] = (byte) flags;
    Octets.putInt32(bytes, at + 5, streamId);
  }
}
