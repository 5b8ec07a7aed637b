package dev.peregrine.wire.http2;

import dev.peregrine.wire.Transport;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * One line for each frame, for whoever wants to see a conversation: logger {@code
 * dev.peregrine.http2}, level TRACE. Loop-confined; made only for connections that begin while the
 * level is on, so that the others pay a comparison with {@code null}.
 *
 * <p>Shows frame headers alone: content and fields may be secret.
 */
final class FrameLog {

  private static final Logger LOGGER = System.getLogger("dev.peregrine.http2");

  private final Transport transport;

  private FrameLog(Transport transport) {
    this.transport = transport;
  }

  /** A log for a connection, or {@code null} when nobody listens. */
  static FrameLog of(Transport transport) {
    return LOGGER.isLoggable(Level.TRACE) ? new FrameLog(transport) : null;
  }

  void received(int length, int type, int flags, int streamId) {
    log(" > ", length, type, flags, streamId);
  }

  void sent(int length, int type, int flags, int streamId) {
    log(" < ", length, type, flags, streamId);
  }

  private void log(String direction, int length, int type, int flags, int streamId) {
    LOGGER.log(Level.TRACE, transport.peer() + direction + line(length, type, flags, streamId));
  }

  /** A frame in words, e.g. {@code HEADERS 1, END_STREAM END_HEADERS, 45 bytes}. */
  static String line(int length, int type, int flags, int streamId) {
    StringBuilder line = new StringBuilder(Frame.name(type)).append(' ').append(streamId);
    appendFlags(line, type, flags);
    return line.append(", ").append(length).append(" bytes").toString();
  }

  private static void appendFlags(StringBuilder line, int type, int flags) {
    String separator = ", ";
    for (int bit = 1; bit <= 0x80; bit <<= 1) {
      if ((flags & bit) != 0) {
        line.append(separator).append(flag(type, bit));
        separator = " ";
      }
    }
  }

  private static String flag(int type, int bit) {
    boolean content = type == Frame.DATA || type == Frame.HEADERS;
    if (bit == Frame.FLAG_ACK && (type == Frame.SETTINGS || type == Frame.PING)) {
      return "ACK";
    } else if (bit == Frame.FLAG_END_STREAM && content) {
      return "END_STREAM";
    } else if (bit == Frame.FLAG_END_HEADERS
        && (type == Frame.HEADERS || type == Frame.CONTINUATION)) {
      return "END_HEADERS";
    } else if (bit == Frame.FLAG_PADDED && content) {
      return "PADDED";
    } else if (bit == Frame.FLAG_PRIORITY && type == Frame.HEADERS) {
      return "PRIORITY";
    }
    return "0x" + Integer.toHexString(bit);
  }
}
