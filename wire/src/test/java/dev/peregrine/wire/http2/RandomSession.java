package dev.peregrine.wire.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.FakeTransport;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.StreamListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An engine between a peer and a call layer that both act at random, mostly within the rules.
 * Loop-confined. After every action what must always hold is checked.
 */
final class RandomSession {

  private static final int MAX_STREAMS = 8;
  private static final int MAX_PAYLOAD = 9_000;

  private static final Http2Limits LIMITS =
      Http2Limits.STANDARD
          .withMaxConcurrentStreams(MAX_STREAMS)
          .withWindows(70_000, 100_000)
          .withQueue(2_000, 30_000, 60_000)
          .withUnsent(5_000, 300_000);

  private final Choices choices;
  private final FakeTransport transport = new FakeTransport();
  private final CheckingPeer checks = new CheckingPeer();
  private final TraceFrames frames = new TraceFrames();
  private final List<Http2Stream> streams = new ArrayList<>();
  private final Map<HttpStream, Long> sent = new HashMap<>();
  private final Http2Connection connection;
  private long nowNanos = Long.MAX_VALUE - 1_000_000;
  private int lastId;
  private int nextId = 1;

  RandomSession(Choices choices) {
    this.choices = choices;
    this.connection = new Http2Connection(transport, this::onRequest, LIMITS, nowNanos);
  }

  void run() {
    checks.sendsSettings();
    feed("preface; SETTINGS; SETTINGS ack");
    while (choices.more()) {
      nowNanos += choices.below(1000) * 100_000L;
      act();
      check();
    }
    transport.addRoom(Long.MAX_VALUE);
    connection.transmit();
    check();
    if (!transport.isClosed()) {
      checks.checkAnswered();
    }
    connection.closed();
    transport.endBurst();
    checks.hears(transport.takeSent());
    assertEquals(0, connection.openStreams());
    assertEquals(0, connection.queuedBytes(), "what a connection that is over keeps");
  }

  private void act() {
    switch (choices.below(16)) {
      case 0, 1, 2 -> open();
      case 3, 4 -> data();
      case 5 -> windowUpdate();
      case 6 -> settings();
      case 7 -> {
        checks.pings();
        feed("PING 0000000000000001");
      }
      case 8 -> feed("RST_STREAM " + someId() + " CANCEL");
      case 9 -> trailers();
      case 10 -> rare();
      case 11, 12, 13, 14 -> respond();
      default -> {
        if (choices.below(2) == 0) {
          transport.addRoom(choices.below(20_000));
        } else {
          transport.addRoom(Long.MAX_VALUE);
        }
        if (transport.writable()) {
          connection.transmit();
        }
      }
    }
    while (transport.takeWoken()) {
      transport.endBurst();
      connection.transmit();
    }
    transport.endBurst();
  }

  private void open() {
    boolean end = choices.below(2) == 0;
    String more = choices.below(8) == 0 ? " connection=x" : " x" + choices.below(40) + "=1";
    checks.opens(nextId, end);
    feed("CALL " + nextId + " /a" + more + (end ? " end" : ""));
    lastId = nextId;
    nextId += 2;
  }

  private void data() {
    int id = someId();
    boolean end = choices.below(4) == 0;
    String pad = choices.below(4) == 0 ? " @pad=" + choices.below(256) : "";
    if (end) {
      checks.ends(id);
    }
    int length = choices.below(MAX_PAYLOAD);
    feed("DATA " + id + (end ? " end" : "") + pad + " zeros:" + length);
  }

  private void windowUpdate() {
    int id = choices.below(2) == 0 ? 0 : someId();
    int increment = choices.below(choices.below(2) == 0 ? 20 : 40_000);
    checks.grants(id, increment);
    feed("WINDOW_UPDATE " + id + " " + increment);
  }

  private void settings() {
    switch (choices.below(3)) {
      case 0 -> {
        int bytes = choices.below(choices.below(2) == 0 ? 10 : 100_000);
        checks.sendsInitialWindow(bytes);
        feed("SETTINGS INITIAL_WINDOW_SIZE=" + bytes);
      }
      case 1 -> {
        int bytes = 16_384 + choices.below(60_000);
        checks.sendsMaxFrame(bytes);
        feed("SETTINGS MAX_FRAME_SIZE=" + bytes);
      }
      default -> {
        checks.sendsSettings();
        // The checking decoder's table stays at 4096, which allows any smaller one.
        feed("SETTINGS HEADER_TABLE_SIZE=" + choices.below(4097));
      }
    }
  }

  private void rare() {
    switch (choices.below(7)) {
      case 0 -> connection.drain(nowNanos);
      case 1 -> connection.expire(nowNanos);
      case 2 -> feed("PRIORITY " + someId() + " @parent=0");
      case 3 -> feed("FRAME type=" + (10 + choices.below(246)) + " flags=0 id=0 zeros:8");
      case 4 -> feed("GOAWAY NO_ERROR");
      case 5 -> feed("PING ack " + String.format("%016x", Drain.PING));
      default -> nextId += 2 * choices.below(300);
    }
  }

  /** Mostly an identifier in use, sometimes one of the past or of the future. */
  private int someId() {
    int back = choices.below(choices.below(4) == 0 ? 300 : 6);
    int id = nextId - 2 * back;
    return Math.max(1, Math.min(id, nextId));
  }

  private void trailers() {
    int id = someId();
    if (id > lastId) {
      return; // would be a request
    }
    checks.ends(id);
    feed("HEADERS " + id + " end x=1");
  }

  private void respond() {
    if (streams.isEmpty()) {
      return;
    }
    Http2Stream stream = streams.get(choices.below(streams.size()));
    int length = choices.below(choices.below(3) == 0 ? 20_000 : 300);
    try {
      switch (choices.below(7)) {
        case 0 -> stream.head(FakeHandler.HEAD, null, choices.below(4) == 0);
        case 1 -> stream.trailers(FakeHandler.OK, longField());
        case 2 -> claim(stream, length);
        case 3 -> stream.reset(ErrorCode.CANCEL);
        case 4 -> stream.credit(length * 3);
        default -> send(stream, length, choices.below(8) == 0);
      }
    } catch (IllegalStateException misuse) {
      String text = misuse.getMessage();
      assertTrue(text.startsWith("response has ended") || text.startsWith("header section after"));
    }
  }

  private void send(HttpStream stream, int length, boolean end) {
    byte[] bytes = new byte[length];
    long position = sent.getOrDefault(stream, 0L);
    fill(stream, position, bytes, 0, length);
    // Before: room made meanwhile is told at once, and the listener may send what comes next.
    sent.put(stream, position + length);
    stream.data(bytes, 0, length, end);
  }

  private void claim(HttpStream stream, int length) {
    int at = stream.claim(length);
    if (at >= 0) {
      long position = sent.getOrDefault(stream, 0L);
      fill(stream, position, transport.output().array(), at, length);
      sent.put(stream, position + length);
    }
  }

  private static void fill(HttpStream stream, long position, byte[] bytes, int offset, int length) {
    for (int i = 0; i < length; i++) {
      bytes[offset + i] = CheckingPeer.content(((Http2Stream) stream).id(), position + i);
    }
  }

  private Headers longField() {
    boolean isLong = choices.below(10) == 0;
    return isLong ? new Headers().add("x-long", "0".repeat(choices.below(50_000))) : null;
  }

  private StreamListener onRequest(HttpStream stream, Headers headers, boolean end) {
    streams.add((Http2Stream) stream);
    if (choices.below(4) == 0) {
      stream.head(FakeHandler.REFUSAL, null, true);
    }
    return new RandomListener(stream);
  }

  private final class RandomListener implements StreamListener {

    private final HttpStream stream;
    private boolean over;

    RandomListener(HttpStream stream) {
      this.stream = stream;
    }

    @Override
    public void onData(byte[] bytes, int offset, int length, boolean end) {
      assertTrue(!over, "data after the end");
      over = end;
      if (choices.below(2) == 0) {
        stream.credit(length);
      }
    }

    @Override
    public void onTrailers(Headers trailers) {
      assertTrue(!over, "trailers after the end");
      over = true;
    }

    @Override
    public void onReset(ErrorCode code) {
      over = true;
      stream.data(new byte[10], 0, 10, false); // a call layer that has not heard yet
      stream.credit(10);
    }

    @Override
    public void onWritable() {
      if (choices.below(2) == 0 && stream.queuedBytes() == 0) {
        int length = choices.below(3_000);
        send(stream, length, false);
      }
    }
  }

  private void feed(String line) {
    byte[] bytes = frames.bytes(line);
    int cut = choices.below(bytes.length + 1);
    connection.receive(bytes, 0, cut, nowNanos);
    connection.receive(bytes, cut, bytes.length - cut, nowNanos);
  }

  private void check() {
    transport.endBurst();
    checks.hears(transport.takeSent());
    long queued = 0;
    for (Http2Stream stream : streams) {
      queued += stream.queuedBytes();
    }
    if (!transport.isClosed()) {
      assertEquals(queued, connection.sendQueue().queuedBytes(), "queued bytes");
    }
    assertTrue(connection.receiveWindow().unreadBytes() >= 0, "unread bytes");
    assertTrue(connection.openStreams() <= MAX_STREAMS, "open streams");
    streams.removeIf(stream -> stream.state().isClosed());
  }
}
