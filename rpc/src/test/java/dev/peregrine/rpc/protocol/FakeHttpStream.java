package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.HttpVersion;
import dev.peregrine.wire.ResponseHead;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A stream without an engine: records the response as readable lines and fails when they come in an
 * order which no engine would accept. Loop-confined.
 *
 * <pre>
 *   HEADERS :status=200 content-type=application/grpc
 *   DATA \00\00\00\00\04\0a\02hi
 *   TRAILERS grpc-status=0
 *   RESET CANCEL
 * </pre>
 *
 * A section that also ends the stream has {@code END_STREAM} behind its first word.
 */
final class FakeHttpStream implements HttpStream {

  private enum State {
    BEFORE_HEAD,
    CONTENT,
    ENDED,
    RESET_BY_PEER
  }

  private final FakeTransport transport;
  private final List<String> lines = new ArrayList<>();
  private State state = State.BEFORE_HEAD;
  private boolean claimable = true;
  private int claimedAt;
  private int claimedLength = -1;
  private int queuedBytes;
  private Runnable meanwhile = () -> {};
  private int peerMaxHeaderListBytes = Integer.MAX_VALUE;
  private long credited;
  private HttpVersion version = HttpVersion.HTTP_2;

  FakeHttpStream(FakeTransport transport) {
    this.transport = transport;
    transport.beforeSend(this::settleClaim);
  }

  // ---- What a test sets and asks.

  /** Whether {@link #claim} gives room; if not, content comes by {@link #data}. */
  void claimable(boolean possible) {
    this.claimable = possible;
  }

  /** Sets {@link HttpStream#peerMaxHeaderListBytes}. */
  void peerMaxHeaderListBytes(int bytes) {
    this.peerMaxHeaderListBytes = bytes;
  }

  /** Sets {@link HttpStream#version}. */
  void version(HttpVersion version) {
    this.version = version;
  }

  /** Sets {@link HttpStream#queuedBytes}. */
  void queuedBytes(int bytes) {
    this.queuedBytes = bytes;
  }

  /** Something that another thread does while the loop asks for {@link #queuedBytes}, once. */
  void meanwhile(Runnable action) {
    this.meanwhile = action;
  }

  /** From now on everything is a no-op, as after RST_STREAM from the peer. */
  void resetByPeer() {
    state = State.RESET_BY_PEER;
  }

  /** What was sent so far. */
  List<String> lines() {
    settleClaim();
    return List.copyOf(lines);
  }

  /** Whether the response is complete: ended or reset by us. */
  boolean ended() {
    return state == State.ENDED;
  }

  /** The bytes of request content given back so far. */
  long credited() {
    return credited;
  }

  // ---- HttpStream.

  @Override
  public void head(ResponseHead head, Headers extra, boolean end) {
    if (goes(State.BEFORE_HEAD, "head")) {
      String name = end ? "HEADERS END_STREAM" : "HEADERS";
      add(name + " :status=" + head.status() + fields(head.headers()) + fields(extra));
      state = end ? State.ENDED : State.CONTENT;
    }
  }

  @Override
  public int claim(int length) {
    if (length < 0) {
      throw new AssertionError("claim(" + length + ")");
    }
    if (!goes(State.CONTENT, "claim") || !claimable) {
      return -1;
    }
    settleClaim();
    claimedAt = transport.output().claim(length);
    claimedLength = length;
    return claimedAt;
  }

  @Override
  public void data(byte[] bytes, int offset, int length, boolean end) {
    if (goes(State.CONTENT, "data")) {
      add((end ? "DATA END_STREAM " : "DATA ") + text(bytes, offset, length));
      state = end ? State.ENDED : State.CONTENT;
    }
  }

  @Override
  public void trailers(ResponseHead trailers, Headers extra) {
    if (goes(State.CONTENT, "trailers")) {
      add("TRAILERS" + fields(trailers.headers()) + fields(extra));
      state = State.ENDED;
    }
  }

  @Override
  public void reset(ErrorCode code) {
    if (state == State.RESET_BY_PEER) {
      return;
    }
    if (state == State.ENDED) {
      throw new AssertionError("reset after the end: " + lines);
    }
    transport.touched();
    add("RESET " + code);
    state = State.ENDED;
  }

  @Override
  public void credit(int bytes) {
    if (bytes < 0) {
      throw new AssertionError("credit(" + bytes + ")");
    }
    credited += bytes;
  }

  @Override
  public int queuedBytes() {
    Runnable action = meanwhile;
    meanwhile = () -> {};
    action.run();
    return queuedBytes;
  }

  @Override
  public int peerMaxHeaderListBytes() {
    return peerMaxHeaderListBytes;
  }

  @Override
  public HttpVersion version() {
    return version;
  }

  @Override
  public FakeTransport transport() {
    return transport;
  }

  // ---- Recording.

  private boolean goes(State expected, String event) {
    if (state == State.RESET_BY_PEER) {
      return false;
    }
    if (state != expected) {
      throw new AssertionError(event + " in state " + state + " after " + lines);
    }
    transport.touched();
    return true;
  }

  private void add(String line) {
    settleClaim();
    lines.add(line);
  }

  /** Claimed room is filled after the claim, so it is read when the next thing happens. */
  private void settleClaim() {
    if (claimedLength >= 0) {
      int length = claimedLength;
      claimedLength = -1;
      lines.add("DATA " + text(transport.output().array(), claimedAt, length));
    }
  }

  private static String fields(Headers headers) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; headers != null && i < headers.size(); i++) {
      text.append(' ').append(headers.name(i)).append('=').append(headers.value(i));
    }
    return text.toString();
  }

  /**
   * Printable ASCII as it is; every other byte, and the backslash, as a backslash and two digits.
   */
  static String text(byte[] bytes, int offset, int length) {
    StringBuilder text = new StringBuilder();
    for (char c : new String(bytes, offset, length, StandardCharsets.ISO_8859_1).toCharArray()) {
      if (c >= ' ' && c <= '~' && c != '\\') {
        text.append(c);
      } else {
        text.append('\\').append(String.format("%02x", (int) c));
      }
    }
    return text.toString();
  }
}
