package dev.peregrine.transcoding;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.peregrine.rpc.HttpMapping;
import java.util.Locale;
import java.util.Map;

/** How the responses of a stream are written, one after the other. Stateless, any thread. */
enum StreamFormat implements HttpMapping.Framing {
  /** One JSON array, growing. */
  ARRAY(",", ""),
  /** A line for each response. */
  LINES("", "\n"),
  /** Server-sent events (HTML, 9.2), what a browser's EventSource reads. */
  EVENTS("data: ", "\n\n");

  private static final String JSON = "application/json";

  private static final Map<String, StreamFormat> TYPES =
      Map.of(
          JSON,
          ARRAY,
          "application/x-ndjson",
          LINES,
          "application/ndjson",
          LINES,
          "application/jsonl",
          LINES,
          "application/x-jsonlines",
          LINES,
          "text/event-stream",
          EVENTS,
          "application/*",
          ARRAY,
          "*/*",
          ARRAY);

  private final String before;
  private final String after;

  StreamFormat(String before, String after) {
    this.before = before;
    this.after = after;
  }

  /**
   * The content type which a client likes best among ours; JSON if it names none of them, since an
   * answer that it did not ask for may still tell it something.
   *
   * @param accept the field of this name (RFC 9110, 12.5.1), or {@code null}
   */
  static String contentType(String accept) {
    String best = JSON;
    double bestWeight = 0;
    for (String item : accept == null ? new String[0] : accept.split(",", -1)) {
      String[] parts = item.split(";", -1);
      String type = parts[0].strip().toLowerCase(Locale.ROOT);
      double weight = weight(parts);
      if (weight > bestWeight && TYPES.containsKey(type)) {
        best = type.endsWith("*") ? JSON : type;
        bestWeight = weight;
      }
    }
    return best;
  }

  private static double weight(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip();
      if (parameter.regionMatches(true, 0, "q=", 0, 2)) {
        try {
          return Double.parseDouble(parameter.substring(2));
        } catch (NumberFormatException e) {
          return 0;
        }
      }
    }
    return 1;
  }

  /** The format of what {@link #contentType(String)} returned. */
  static StreamFormat of(String contentType) {
    return TYPES.get(contentType);
  }

  @Override
  public byte[] next(byte[] item) {
    return framed(before, item, after);
  }

  @Override
  public void asFirst(byte[] framed) {
    if (this == ARRAY) {
      framed[0] = '[';
    }
  }

  @Override
  public byte[] end(boolean empty) {
    return (this != ARRAY ? "" : empty ? "[]" : "]").getBytes(UTF_8);
  }

  @Override
  public byte[] failed(byte[] failure, boolean empty) {
    return switch (this) {
      case ARRAY -> framed((empty ? "[" : ",") + "{\"error\":", failure, "}]");
      case LINES -> framed("{\"error\":", failure, "}\n");
      case EVENTS -> framed("event: error\ndata: ", failure, "\n\n");
    };
  }

  private static byte[] framed(String before, byte[] json, String after) {
    byte[] all = new byte[before.length() + json.length + after.length()];
    put(before, all, 0);
    System.arraycopy(json, 0, all, before.length(), json.length);
    put(after, all, before.length() + json.length);
    return all;
  }

  /** Puts a text of ASCII characters. */
  private static void put(String ascii, byte[] target, int offset) {
    for (int i = 0; i < ascii.length(); i++) {
      target[offset + i] = (byte) ascii.charAt(i);
    }
  }
}
