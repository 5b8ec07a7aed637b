package dev.peregrine.wire.http2;

import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.Output;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.TraceRun;
import dev.peregrine.wire.hpack.HpackEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The frames of the peer in a trace, from words to bytes. Written apart from the engine's own
 * writer, so that one does not hide the other's faults. Loop-confined. The notation is in
 * traces/README.md.
 */
final class TraceFrames {

  private static final List<String> SETTING_NAMES =
      List.of(
          "",
          "HEADER_TABLE_SIZE",
          "ENABLE_PUSH",
          "MAX_CONCURRENT_STREAMS",
          "INITIAL_WINDOW_SIZE",
          "MAX_FRAME_SIZE",
          "MAX_HEADER_LIST_SIZE");

  private final HpackEncoder encoder = new HpackEncoder();
  private final Output out = new Output();
  private final Output block = new Output();
  private int lastId = -1;

  /** What of the last field block has not been sent yet. */
  private byte[] blockRest = {};

  static String settingName(int id) {
    return id < SETTING_NAMES.size() ? SETTING_NAMES.get(id) : Integer.toString(id);
  }

  /** The bytes of one line, which may hold several frames and a repetition. */
  byte[] bytes(String line) {
    out.clear();
    String text = line;
    int times = 1;
    int space = line.indexOf(' ');
    if (Character.isDigit(line.charAt(0)) && line.charAt(space - 1) == 'x') {
      times = Integer.parseInt(line.substring(0, space - 1));
      text = line.substring(space + 1);
    }
    String[] frames = text.split(";", -1);
    for (int i = 0; i < times; i++) {
      for (String frame : frames) {
        write(TraceRun.words(frame));
      }
    }
    return Arrays.copyOf(out.array(), out.size());
  }

  private void write(List<String> words) {
    List<String> rest = new ArrayList<>(words.subList(1, words.size()));
    switch (words.get(0)) {
      case "preface" -> put("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      case "raw" -> put(HexFormat.of().parseHex(String.join("", rest)));
      case "FRAME" ->
          frame(
              number(take(rest, "type")),
              number(take(rest, "flags")),
              number(take(rest, "id")),
              content(rest));
      case "SETTINGS" -> settings(rest);
      case "PING" -> {
        boolean ack = rest.remove("ack");
        frame(6, ack ? 1 : 0, 0, HexFormat.of().parseHex(rest.get(0)));
      }
      case "GOAWAY" -> frame(7, 0, 0, ints(0, code(rest.get(0))));
      case "RST_STREAM" -> frame(3, 0, id(rest), ints(code(rest.get(0))));
      case "WINDOW_UPDATE" -> frame(8, 0, id(rest), ints(number(rest.get(0))));
      case "PRIORITY" -> {
        byte[] payload = Arrays.copyOf(ints(number(take(rest, "@parent"))), 5);
        frame(2, 0, id(rest), payload);
      }
      case "DATA" -> data(rest);
      case "HEADERS", "CALL" -> headers(words.get(0).equals("CALL"), rest);
      case "CONTINUATION" -> {
        int id = id(rest);
        blockPart(9, 0, id, new byte[0], new byte[0], rest);
      }
      default -> throw new AssertionError("no such frame: " + words);
    }
  }

  private void settings(List<String> rest) {
    if (rest.remove("ack")) {
      frame(4, 1, 0, new byte[0]);
      return;
    }
    byte[] payload = new byte[rest.size() * 6];
    for (int i = 0; i < rest.size(); i++) {
      String[] pair = rest.get(i).split("=", -1);
      int known = SETTING_NAMES.indexOf(pair[0]);
      int id = known >= 0 ? known : number(pair[0]);
      payload[i * 6] = (byte) (id >>> 8);
      payload[i * 6 + 1] = (byte) id;
      System.arraycopy(ints(number(pair[1])), 0, payload, i * 6 + 2, 4);
    }
    frame(4, 0, 0, payload);
  }

  private void data(List<String> rest) {
    int id = id(rest);
    int flags = rest.remove("end") ? 1 : 0;
    String pad = take(rest, "@pad");
    byte[] content = content(rest);
    frame(0, flags | (pad == null ? 0 : 8), id, padded(pad, new byte[0], content));
  }

  private void headers(boolean call, List<String> rest) {
    int id = id(rest);
    int flags = rest.remove("end") ? 1 : 0;
    String pad = take(rest, "@pad");
    String parent = take(rest, "@parent");
    String block = take(rest, "@block");
    String limit = take(rest, "@take");
    byte[] before = parent == null ? new byte[0] : Arrays.copyOf(ints(number(parent)), 5);
    blockRest = block != null ? HexFormat.of().parseHex(block) : encode(call, rest);
    flags |= (pad == null ? 0 : 8) | (parent == null ? 0 : 0x20);
    List<String> options = new ArrayList<>();
    if (limit != null) {
      options.add("@take=" + limit);
    }
    byte[] padLength = pad == null ? new byte[0] : new byte[] {(byte) number(pad)};
    byte[] first = concat(padLength, before);
    blockPart(1, flags, id, first, new byte[pad == null ? 0 : number(pad)], options);
  }

  /** Some or all of what is left of the block; END_HEADERS if all of it. */
  private void blockPart(
      int type, int flags, int id, byte[] first, byte[] padding, List<String> rest) {
    String limit = take(rest, "@take");
    int length = limit == null ? blockRest.length : number(limit);
    byte[] part = Arrays.copyOf(blockRest, length);
    blockRest = Arrays.copyOfRange(blockRest, Math.min(length, blockRest.length), blockRest.length);
    int endHeaders = limit == null ? 4 : 0;
    frame(type, flags | endHeaders, id, concat(concat(first, part), padding));
  }

  private byte[] encode(boolean call, List<String> rest) {
    Headers fields = new Headers();
    List<String[]> list = new ArrayList<>();
    if (call) {
      String path = rest.remove(0);
      list.add(new String[] {":method", "POST"});
      list.add(new String[] {":scheme", "http"});
      list.add(new String[] {":path", path});
      list.add(new String[] {":authority", "x"});
      list.add(new String[] {"content-type", "application/grpc"});
      list.add(new String[] {"te", "trailers"});
    }
    for (String word : rest) {
      if (word.startsWith("-")) {
        list.removeIf(pair -> pair[0].equals(word.substring(1)));
        continue;
      }
      int equals = word.indexOf('=', 1);
      String name = word.substring(0, equals);
      String value = word.substring(equals + 1);
      if (value.startsWith("zeros:")) {
        value = "0".repeat(number(value.substring(6)));
      }
      list.add(new String[] {name, value});
    }
    list.forEach(pair -> fields.add(HeaderName.of(pair[0]), pair[1]));
    block.clear();
    encoder.encode(ResponseHead.trailers(fields), null, block);
    return Arrays.copyOf(block.array(), block.size());
  }

  private static byte[] content(List<String> rest) {
    if (rest.isEmpty()) {
      return new byte[0];
    }
    String word = rest.get(0);
    if (word.startsWith("zeros:")) {
      return new byte[number(word.substring(6))];
    }
    if (word.startsWith("hex:")) {
      return HexFormat.of().parseHex(word.substring(4));
    }
    return word.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** A stream: its number, {@code +} for the next one, {@code *} for the last one opened so. */
  private int id(List<String> rest) {
    String word = rest.remove(0);
    if (word.equals("+")) {
      lastId += 2;
      return lastId;
    }
    if (word.equals("*")) {
      return lastId;
    }
    int id = number(word);
    lastId = Math.max(lastId, id);
    return id;
  }

  private static int code(String word) {
    return Character.isDigit(word.charAt(0)) ? number(word) : ErrorCode.valueOf(word).code();
  }

  private static int number(String word) {
    return (int) Long.decode(word).longValue();
  }

  private static String take(List<String> rest, String key) {
    for (int i = 0; i < rest.size(); i++) {
      if (rest.get(i).startsWith(key + "=")) {
        return rest.remove(i).substring(key.length() + 1);
      }
    }
    return null;
  }

  private static byte[] padded(String pad, byte[] before, byte[] content) {
    if (pad == null) {
      return concat(before, content);
    }
    int padding = number(pad);
    byte[] length = {(byte) padding};
    return concat(concat(concat(length, before), content), new byte[padding]);
  }

  private static byte[] concat(byte[] a, byte[] b) {
    byte[] sum = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, sum, a.length, b.length);
    return sum;
  }

  private static byte[] ints(int... values) {
    byte[] bytes = new byte[values.length * 4];
    for (int i = 0; i < values.length; i++) {
      for (int b = 0; b < 4; b++) {
        bytes[i * 4 + b] = (byte) (values[i] >>> (24 - 8 * b));
      }
    }
    return bytes;
  }

  private void put(byte[] bytes) {
    out.write(bytes, 0, bytes.length);
  }

  private void frame(int type, int flags, int id, byte[] payload) {
    int n = payload.length;
    put(new byte[] {(byte) (n >>> 16), (byte) (n >>> 8), (byte) n, (byte) type, (byte) flags});
    put(ints(id));
    put(payload);
  }
}
