package dev.peregrine.wire.http1;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What the engine sent, from bytes to the words of a trace. Loop-confined. Reads as a client would,
 * with one difference: where a head begins, content has ended, so that it need not know which
 * responses have none.
 */
final class SeenResponses {

  private static final int SHOWN_CHARS = 32;
  private static final String STATUS_LINE = "HTTP/1.1 ";

  private long leftBytes;
  private boolean chunked;
  private String rest = "";

  /** One line for each head and chunk, and for the rest of the content. */
  List<String> lines(byte[] bytes) {
    rest += new String(bytes, StandardCharsets.ISO_8859_1);
    List<String> lines = new ArrayList<>();
    while (!rest.isEmpty()) {
      if (rest.startsWith(STATUS_LINE)) {
        lines.add(head());
      } else if (chunked) {
        lines.add(chunk());
      } else {
        int next = rest.indexOf(STATUS_LINE);
        long length = Math.min(leftBytes, next < 0 ? rest.length() : next);
        if (length == 0) {
          throw new AssertionError("content that no head announces: " + rest);
        }
        leftBytes -= length;
        lines.add("body " + content(take((int) length)));
      }
    }
    return lines;
  }

  private String take(int length) {
    String taken = rest.substring(0, length);
    rest = rest.substring(length);
    return taken;
  }

  private String line() {
    int end = rest.indexOf("\r\n");
    if (end < 0) {
      throw new AssertionError("output ends inside a line: " + rest);
    }
    String line = take(end);
    take(2);
    return line;
  }

  private String head() {
    StringBuilder text = new StringBuilder(line().substring(STATUS_LINE.length()).strip());
    boolean interim = text.charAt(0) == '1';
    chunked = false;
    leftBytes = interim ? 0 : Long.MAX_VALUE;
    for (String field = line(); !field.isEmpty(); field = line()) {
      String[] pair = field.split(": ", 2);
      text.append(' ').append(pair[0]).append('=').append(pair[1]);
      if (pair[0].equals("content-length")) {
        leftBytes = Long.parseLong(pair[1]);
      }
      chunked |= field.equals("transfer-encoding: chunked");
    }
    return text.toString();
  }

  private String chunk() {
    int size = Integer.parseInt(line(), 16);
    if (size > 0) {
      String content = take(size);
      if (!take(2).equals("\r\n")) {
        throw new AssertionError("a chunk does not end where its size says");
      }
      return "chunk " + content(content);
    }
    StringBuilder text = new StringBuilder("last");
    for (String field = line(); !field.isEmpty(); field = line()) {
      text.append(' ').append(field.replace(": ", "="));
    }
    chunked = false;
    leftBytes = 0;
    return text.toString();
  }

  private static String content(String text) {
    String shown = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    boolean printable = shown.chars().allMatch(c -> c >= ' ' && c < 0x7f);
    return printable && (text.length() <= SHOWN_CHARS || text.endsWith("\n"))
        ? shown
        : "zeros:" + text.length();
  }
}
