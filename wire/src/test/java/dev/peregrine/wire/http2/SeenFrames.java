package dev.peregrine.wire.http2;

import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.hpack.HpackDecoder;
import dev.peregrine.wire.hpack.HpackException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** What the engine sent, from bytes to the words of a trace. Loop-confined. */
final class SeenFrames {

  private static final int SHOWN_BYTES = 32;
  private static final int NO_LIMIT = 1 << 24;

  private final HpackDecoder decoder = new HpackDecoder(4096, NO_LIMIT, NO_LIMIT);
  private final ByteArrayOutputStream block = new ByteArrayOutputStream();
  private String blockPrefix;

  /** One line for each frame. Output of an engine never ends inside a frame. */
  List<String> lines(byte[] bytes) {
    List<String> lines = new ArrayList<>();
    int at = 0;
    while (at < bytes.length) {
      int length = Octets.int24(bytes, at);
      int end = at + 9 + length;
      if (end > bytes.length) {
        throw new AssertionError("output ends inside a frame");
      }
      byte[] payload = Arrays.copyOfRange(bytes, at + 9, end);
      String line = line(bytes[at + 3], bytes[at + 4], Octets.int32(bytes, at + 5), payload);
      if (line != null) {
        lines.add(line);
      }
      at = end;
    }
    return lines;
  }

  private String line(int type, int flags, int id, byte[] payload) {
    String end = (flags & 1) != 0 ? " end" : "";
    return switch (type) {
      case 0 -> "DATA " + id + end + " " + content(payload);
      case 1 -> {
        blockPrefix = "HEADERS " + id + end;
        yield block(flags, payload);
      }
      case 3 -> "RST_STREAM " + id + " " + ErrorCode.of(Octets.int32(payload, 0));
      case 4 -> (flags & 1) != 0 ? "SETTINGS ack" : "SETTINGS" + settings(payload);
      case 6 -> "PING " + ((flags & 1) != 0 ? "ack " : "") + HexFormat.of().formatHex(payload);
      case 7 -> goAway(payload);
      case 8 -> "WINDOW_UPDATE " + id + " " + Octets.int32(payload, 0);
      case 9 -> {
        blockPrefix += " continued";
        yield block(flags, payload);
      }
      default -> throw new AssertionError("engine sent a frame of type " + type);
    };
  }

  private String block(int flags, byte[] payload) {
    block.writeBytes(payload);
    if ((flags & 4) == 0) {
      return null;
    }
    StringBuilder line = new StringBuilder(blockPrefix);
    try {
      Headers headers = decoder.decode(block.toByteArray(), 0, block.size());
      for (int i = 0; i < headers.size(); i++) {
        String value = headers.value(i);
        line.append(' ').append(headers.name(i)).append('=');
        line.append(value.length() > 100 ? "zeros:" + value.length() : value);
      }
    } catch (HpackException e) {
      throw new AssertionError("engine sent a bad field block", e);
    }
    block.reset();
    return line.toString();
  }

  private static String content(byte[] payload) {
    String text = new String(payload, StandardCharsets.ISO_8859_1);
    if (payload.length == 0) {
      return "empty";
    }
    if (payload.length <= SHOWN_BYTES && text.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      return text;
    }
    return "zeros:" + payload.length;
  }

  private static String settings(byte[] payload) {
    StringBuilder text = new StringBuilder();
    for (int at = 0; at < payload.length; at += 6) {
      text.append(' ').append(TraceFrames.settingName(Octets.int16(payload, at)));
      text.append('=').append(Octets.int32(payload, at + 2));
    }
    return text.toString();
  }

  private static String goAway(byte[] payload) {
    String debug = new String(payload, 8, payload.length - 8, StandardCharsets.UTF_8);
    return "GOAWAY last="
        + Octets.int32(payload, 0)
        + " "
        + ErrorCode.of(Octets.int32(payload, 4))
        + (debug.isEmpty() ? "" : " \"" + debug + "\"");
  }
}
