package dev.peregrine.wire.http2;

import dev.peregrine.wire.Connection;
import dev.peregrine.wire.FakeTransport;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.Trace;
import dev.peregrine.wire.TraceLimits;
import dev.peregrine.wire.TraceSubject;
import java.util.ArrayList;
import java.util.List;

/** The HTTP/2 engine for traces. Loop-confined. */
final class Http2Subject implements TraceSubject {

  private final Http2Limits limits;
  private final FakeHandler handler = new FakeHandler();
  private final TraceFrames peer = new TraceFrames();
  private final SeenFrames seen = new SeenFrames();
  private final Http2Connection connection;

  Http2Subject(FakeTransport transport, List<String> words, long nowNanos) {
    limits = TraceLimits.parse(words, Http2Limits.STANDARD);
    connection = new Http2Connection(transport, handler, limits, nowNanos);
  }

  @Override
  public Connection connection() {
    return connection;
  }

  /** Both sides' SETTINGS, acknowledged. */
  @Override
  public Trace.Step opening() {
    List<String> frames = new ArrayList<>(List.of("SETTINGS...", "SETTINGS ack"));
    if (limits.connectionWindowBytes() > FlowWindow.INITIAL_BYTES) {
      frames.add(1, "WINDOW_UPDATE 0...");
    }
    return new Trace.Step(
        0, List.of("preface", "SETTINGS", "SETTINGS ack"), null, frames, List.of());
  }

  @Override
  public byte[] bytes(String line) {
    return peer.bytes(line);
  }

  @Override
  public List<String> lines(byte[] sent) {
    return seen.lines(sent);
  }

  @Override
  public HttpStream stream(int id) {
    return handler.stream(id);
  }

  @Override
  public List<String> takeEvents() {
    return handler.takeEvents();
  }

  @Override
  public long measure(String name) {
    return switch (name) {
      case "queued" -> connection.sendQueue().queuedBytes();
      case "unread" -> connection.receiveWindow().unreadBytes();
      case "requests" -> handler.requests();
      default -> throw new AssertionError("nothing to check: " + name);
    };
  }

  @Override
  public ResponseHead head(List<String> words, boolean end) {
    return end ? FakeHandler.REFUSAL : FakeHandler.HEAD;
  }

  @Override
  public ResponseHead trailers() {
    return FakeHandler.OK;
  }
}
