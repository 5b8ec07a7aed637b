package dev.peregrine.wire.http1;

import dev.peregrine.wire.Connection;
import dev.peregrine.wire.FakeTransport;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.Trace;
import dev.peregrine.wire.TraceLimits;
import dev.peregrine.wire.TraceSubject;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;

/** The HTTP/1.1 engine for traces. Loop-confined. The notation is in traces/README.md. */
final class Http1Subject implements TraceSubject {

  private final FakeSite site = new FakeSite();
  private final SeenResponses seen = new SeenResponses();
  private final Http1Connection connection;

  Http1Subject(FakeTransport transport, List<String> words, long nowNanos) {
    Http1Limits limits = TraceLimits.parse(words, Http1Limits.STANDARD);
    connection = new Http1Connection(transport, site, limits, null, nowNanos);
  }

  @Override
  public Connection connection() {
    return connection;
  }

  @Override
  public Trace.Step opening() {
    throw new AssertionError("HTTP/1.1 has no opening: use connect");
  }

  @Override
  public byte[] bytes(String line) {
    return text(line).getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The bytes of a line of input, one for each character. */
  static String text(String line) {
    int space = line.indexOf(' ');
    if (space > 0 && line.substring(0, space).matches("\\d+x")) {
      StringBuilder one = new StringBuilder();
      for (String part : line.substring(space + 1).split(";", -1)) {
        one.append(text(part.strip()));
      }
      return one.toString().repeat(Integer.parseInt(line.substring(0, space - 1)));
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\\' && line.startsWith("x", i + 1)) {
        text.append((char) Integer.parseInt(line.substring(i + 2, i + 4), 16));
        i += 3;
      } else if (c == '\\' && i == line.length() - 1) {
        return text.toString();
      } else if (line.startsWith("zeros:", i)) {
        int end = i + "zeros:".length();
        while (end < line.length() && Character.isDigit(line.charAt(end))) {
          end++;
        }
        text.append("0".repeat(Integer.parseInt(line.substring(i + "zeros:".length(), end))));
        i = end - 1;
      } else {
        text.append(c);
      }
    }
    return text.append("\r\n").toString();
  }

  @Override
  public List<String> lines(byte[] sent) {
    return seen.lines(sent);
  }

  @Override
  public HttpStream stream(int id) {
    return site.stream(id);
  }

  @Override
  public List<String> takeEvents() {
    return site.takeEvents();
  }

  @Override
  public long measure(String name) {
    if (name.equals("requests")) {
      return site.requests();
    }
    throw new AssertionError("nothing to check: " + name);
  }

  /** The status, if the first word is a number. */
  @Override
  public ResponseHead head(List<String> words, boolean end) {
    Iterator<String> first = words.iterator();
    if (first.hasNext() && first.next().matches("\\d+")) {
      return ResponseHead.of(Integer.parseInt(words.remove(0)), new Headers());
    }
    return FakeSite.OPEN;
  }

  @Override
  public ResponseHead trailers() {
    return FakeSite.OK;
  }
}
