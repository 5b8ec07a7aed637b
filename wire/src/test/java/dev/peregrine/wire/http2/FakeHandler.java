package dev.peregrine.wire.http2;

import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpHandler;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.StreamListener;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A call layer that does what the path says, and notes what it is told. Loop-confined.
 *
 * <ul>
 *   <li>{@code /hold…}: nothing; the trace acts for it
 *   <li>{@code /early…}: answers at once, with one header section
 *   <li>{@code /big/N}: answers N bytes at the end of the request
 *   <li>{@code /push/N}: answers N bytes at the beginning of the request
 *   <li>anything else: a unary gRPC reply of five bytes at the end of the request
 * </ul>
 *
 * <p>Everything but {@code /hold} credits content on arrival.
 */
final class FakeHandler implements HttpHandler {

  static final ResponseHead HEAD =
      ResponseHead.of(200, new Headers().add("content-type", "application/grpc"));
  static final ResponseHead OK = ResponseHead.trailers(new Headers().add("grpc-status", "0"));
  static final ResponseHead REFUSAL =
      ResponseHead.of(
          200, new Headers().add("content-type", "application/grpc").add("grpc-status", "12"));
  static final ResponseHead TOO_LARGE =
      ResponseHead.of(
          431, new Headers().add("content-type", "application/grpc").add("grpc-status", "8"));

  private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);

  private final List<String> events = new ArrayList<>();
  private final Map<Integer, HttpStream> streams = new HashMap<>();
  private final boolean passive;
  private int requests;

  FakeHandler() {
    this(false);
  }

  /**
   * @param passive whether every path is to be treated like {@code /hold}
   */
  FakeHandler(boolean passive) {
    this.passive = passive;
  }

  @Override
  public StreamListener onRequest(HttpStream stream, Headers headers, boolean end) {
    requests++;
    int id = ((Http2Stream) stream).id();
    streams.put(id, stream);
    String path = headers.get(HeaderName.PATH);
    events.add("request " + id + " " + path + (end ? " end" : ""));
    if (passive) {
      return new Call(id, stream, "/hold");
    }
    if (headers.truncated()) {
      stream.head(TOO_LARGE, null, true);
      return new Call(id, stream, "/early");
    }
    Call call = new Call(id, stream, path == null ? "/hold" : path);
    call.begun();
    if (end) {
      call.ended();
    }
    return call;
  }

  /** The stream a trace names. */
  HttpStream stream(int id) {
    HttpStream stream = streams.get(id);
    if (stream == null) {
      throw new AssertionError("no request on stream " + id);
    }
    return stream;
  }

  int requests() {
    return requests;
  }

  List<String> takeEvents() {
    List<String> taken = List.copyOf(events);
    events.clear();
    return taken;
  }

  private void note(String event) {
    events.add(event);
  }

  private final class Call implements StreamListener {

    private final int id;
    private final HttpStream stream;
    private final String path;

    Call(int id, HttpStream stream, String path) {
      this.id = id;
      this.stream = stream;
      this.path = path;
    }

    void begun() {
      if (path.startsWith("/early")) {
        stream.head(REFUSAL, null, true);
      } else if (path.startsWith("/push/")) {
        reply(Integer.parseInt(path.substring("/push/".length())));
      }
    }

    void ended() {
      if (path.startsWith("/big/")) {
        reply(Integer.parseInt(path.substring("/big/".length())));
      } else if (!path.startsWith("/hold")
          && !path.startsWith("/early")
          && !path.startsWith("/push/")) {
        stream.head(HEAD, null, false);
        int at = stream.claim(HELLO.length);
        if (at >= 0) {
          System.arraycopy(HELLO, 0, stream.transport().output().array(), at, HELLO.length);
        } else {
          stream.data(HELLO, 0, HELLO.length, false);
        }
        stream.trailers(OK, null);
      }
    }

    private void reply(int bytes) {
      stream.head(HEAD, null, false);
      stream.data(new byte[bytes], 0, bytes, false);
      stream.trailers(OK, null);
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

    /** However a frame was cut, it is one event. */
    private void noteData(int length, boolean end) {
      String prefix = "data " + id + " ";
      int sum = length;
      if (!events.isEmpty() && events.get(events.size() - 1).startsWith(prefix)) {
        sum += Integer.parseInt(events.remove(events.size() - 1).substring(prefix.length()));
      }
      note(prefix + sum + (end ? " end" : ""));
    }

    @Override
    public void onTrailers(Headers trailers) {
      note("trailers " + id);
      ended();
    }

    @Override
    public void onReset(ErrorCode code) {
      note("reset " + id + " " + code);
    }

    @Override
    public void onWritable() {
      note("writable " + id);
    }
  }
}
