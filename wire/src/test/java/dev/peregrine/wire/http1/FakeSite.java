package dev.peregrine.wire.http1;

import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpHandler;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.StreamListener;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A call layer that does what the path says, and notes what it is told. Requests are numbered from
 * 1 on. Loop-confined.
 *
 * <ul>
 *   <li>{@code /hold…}: nothing; the trace acts for it. Content is not credited
 *   <li>{@code /early…}: 403 at once, with content
 *   <li>{@code /size/N}, {@code /chunks/N}: N bytes at the end of the request, with their length or
 *       without
 *   <li>{@code /status/N}: that status without content
 *   <li>anything else: {@code hello} with its length, at the end of the request
 * </ul>
 */
final class FakeSite implements HttpHandler {

  static final ResponseHead OPEN =
      ResponseHead.of(200, new Headers().add("content-type", "text/plain"));
  static final ResponseHead OK = ResponseHead.trailers(new Headers().add("grpc-status", "0"));

  private static final ResponseHead HELLO_HEAD =
      ResponseHead.of(200, new Headers().add("content-length", "5"));
  private static final ResponseHead FORBIDDEN = ResponseHead.of(403, new Headers());
  private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NO = "no".getBytes(StandardCharsets.US_ASCII);

  private final List<String> events = new ArrayList<>();
  private final List<HttpStream> streams = new ArrayList<>();
  private final List<Headers> heads = new ArrayList<>();
  private final boolean passive;

  FakeSite() {
    this(false);
  }

  /**
   * @param passive whether every path is to be treated like {@code /hold}
   */
  FakeSite(boolean passive) {
    this.passive = passive;
  }

  @Override
  public StreamListener onRequest(HttpStream stream, Headers headers, boolean end) {
    streams.add(stream);
    heads.add(headers);
    int id = streams.size();
    String path = headers.get(HeaderName.PATH);
    events.add(
        "request " + id + " " + headers.get(HeaderName.METHOD) + " " + path + (end ? " end" : ""));
    Answer answer = new Answer(id, stream, passive ? "/hold" : path);
    answer.begun();
    if (end) {
      answer.ended();
    }
    return answer;
  }

  HttpStream stream(int id) {
    return streams.get(id - 1);
  }

  /** The header section of a request. */
  Headers headers(int id) {
    return heads.get(id - 1);
  }

  int requests() {
    return streams.size();
  }

  List<String> takeEvents() {
    List<String> taken = List.copyOf(events);
    events.clear();
    return taken;
  }

  private final class Answer implements StreamListener {

    private final int id;
    private final HttpStream stream;
    private final String path;

    Answer(int id, HttpStream stream, String path) {
      this.id = id;
      this.stream = stream;
      this.path = path;
    }

    void begun() {
      if (path.startsWith("/early")) {
        stream.head(FORBIDDEN, null, false);
        stream.data(NO, 0, NO.length, true);
      }
    }

    void ended() {
      if (path.startsWith("/hold") || path.startsWith("/early")) {
        return;
      }
      if (path.startsWith("/status/")) {
        int status = number() < 200 || number() > 599 ? 200 : number();
        stream.head(ResponseHead.of(status, new Headers()), null, true);
      } else if (path.startsWith("/size/")) {
        stream.head(OPEN, new Headers().add("content-length", Integer.toString(number())), false);
        stream.data(new byte[number()], 0, number(), true);
      } else if (path.startsWith("/chunks/")) {
        stream.head(OPEN, null, false);
        stream.data(new byte[number()], 0, number(), false);
        stream.data(new byte[0], 0, 0, true);
      } else {
        hello();
      }
    }

    private void hello() {
      stream.head(HELLO_HEAD, null, false);
      int at = stream.claim(HELLO.length);
      if (at >= 0) {
        System.arraycopy(HELLO, 0, stream.transport().output().array(), at, HELLO.length);
        stream.data(HELLO, 0, 0, true);
      } else {
        stream.data(HELLO, 0, HELLO.length, true);
      }
    }

    /** The number at the end of the path, or 0 if a fuzzer has put something else there. */
    private int number() {
      String text = path.substring(path.lastIndexOf('/') + 1);
      return text.matches("\\d{1,6}") ? Integer.parseInt(text) : 0;
    }

    @Override
    public void onData(byte[] bytes, int offset, int length, boolean end) {
      noteData(length, end);
      if (!path.startsWith("/hold")) {
        stream.credit(length);
      }
      if (end) {
        ended();
      }
    }

    /** However content was cut, it is one event. */
    private void noteData(int length, boolean end) {
      String prefix = "data " + id + " ";
      int sum = length;
      if (!events.isEmpty() && events.get(events.size() - 1).startsWith(prefix)) {
        sum += Integer.parseInt(events.remove(events.size() - 1).substring(prefix.length()));
      }
      events.add(prefix + sum + (end ? " end" : ""));
    }

    @Override
    public void onTrailers(Headers trailers) {
      StringBuilder text = new StringBuilder("trailers " + id);
      for (int i = 0; i < trailers.size(); i++) {
        text.append(' ').append(trailers.name(i)).append('=').append(trailers.value(i));
      }
      events.add(text.toString());
      ended();
    }

    @Override
    public void onReset(ErrorCode code) {
      events.add("reset " + id + " " + code);
    }

    @Override
    public void onWritable() {
      events.add("writable " + id);
    }
  }
}
