package dev.peregrine.server;

import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.protocol.OutboxEntry;
import dev.peregrine.wire.Connection;
import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.Output;
import dev.peregrine.wire.PeerLimit;
import dev.peregrine.wire.Transport;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.Principal;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

/**
 * One connection's socket: read burst, one write, back-pressure, close. Loop-confined.
 *
 * <pre>
 *   OPEN ----------> CLOSING ----------> LINGERING ----------> CLOSED
 *     |  close, EOF     |  all written      |  peer's FIN         ^
 *     |                 |                   |  or enough          |
 *     +-----------------+-------------------+---------------------+
 *        reset, fault, time
 * </pre>
 */
final class SocketHandler implements Transport, Selectable {

  /**
   * Reads per turn of the loop, 256 KiB: enough to keep a fast upload going, few enough that the
   * other connections of the loop do not wait longer than some 100 µs for one.
   */
  private static final int READS_PER_TURN = 4;

  private enum State {
    OPEN,
    CLOSING,
    LINGERING,
    CLOSED
  }

  private final EventLoop loop;
  private final LoopBuffers buffers;
  private final SocketChannel channel;
  private final SocketRecord history;
  private final SocketTls tls;
  private final SocketOutput out;
  private final EntryQueue entries = new EntryQueue();
  private final WaitingBytes waiting;

  /** Until it is known for whom the connection is; then {@code null}. */
  private ProxyGate gate;

  private SelectionKey key;
  private Connection connection;
  private IOException failure;

  /** Its end, or {@code null} while that has not begun. */
  private Farewell farewell;

  private State state = State.OPEN;
  private int interestOps = SelectionKey.OP_READ;
  private long deadlineNanos = Long.MAX_VALUE;
  private boolean reading = true;
  private boolean endOfInput;
  private boolean wakeAsked;
  private boolean scheduled;
  private boolean touched = true;
  private boolean inHandshake;
  private boolean reset;

  /** Where the loop keeps this connection. */
  int index;

  /**
   * A handler which does nothing yet.
   *
   * @param settings what all connections of its listener have in common
   */
  SocketHandler(EventLoop loop, SocketChannel channel, SocketAddress peer, SiteSettings settings)
      throws IOException {
    this.loop = loop;
    this.buffers = loop.buffers();
    this.channel = channel;
    this.tls = settings.tls() == null ? null : new SocketTls(this, settings.tls());
    boolean trusted = settings.trusts(peer);
    this.history = new SocketRecord(loop, peer, channel.getLocalAddress(), trusted);
    this.gate = settings.proxies() == null ? null : new ProxyGate(this, trusted);
    this.out = new SocketOutput(channel, buffers);
    this.waiting = new WaitingBytes(loop.bytes());
  }

  /** Begins: the key is registered for reading. */
  void start(SelectionKey key, Connection connection) {
    this.key = key;
    this.connection = connection;
  }

  /** The loop has it; who its peer is may not be known yet. */
  void opened() {
    if (gate == null) {
      history.opened();
    }
  }

  /** Puts another engine in the place of the present one. */
  void become(Connection next) {
    connection = next;
    touched = true;
  }

  // ---- events of the loop

  @Override
  public void ready(int readyOps) {
    try {
      if ((readyOps & SelectionKey.OP_WRITE) != 0) {
        onWritable();
      }
      if ((readyOps & SelectionKey.OP_READ) != 0) {
        onReadable();
      }
    } catch (IOException e) {
      lost(e);
    } catch (Throwable e) {
      fault(e);
    }
  }

  private void onReadable() throws IOException {
    if (state == State.OPEN) {
      touch();
      for (int i = 0; i < READS_PER_TURN && state == State.OPEN && reading; i++) {
        int length = read();
        if (length < 0) {
          endOfInput();
        }
        if (length < LoopBuffers.INPUT_BYTES) {
          break;
        }
      }
      endBurst();
    } else if (state == State.LINGERING) {
      discardInput();
    }
  }

  private int read() throws IOException {
    if (gate != null) {
      return readGate();
    }
    if (secure()) {
      return tls.read(channel, buffers);
    }
    int length = buffers.read(channel);
    if (length > 0) {
      received(length);
      connection.receive(buffers.input(), 0, length, loop.nowNanos());
    }
    return length;
  }

  /** So many bytes came from the socket. */
  void received(int bytes) {
    history.received(bytes);
  }

  // ---- proxies

  private int readGate() throws IOException {
    int length = buffers.read(channel);
    if (length > 0) {
      received(length);
      gate.receive(buffers.input(), length);
    }
    return length;
  }

  /** It is known for whom the connection is; what is behind the header is the client's. */
  void onProxied(ProxyHeader header, byte[] first) throws IOException {
    gate = null;
    if (!history.proxied(header)) {
      history.endsBecause("too many connections of its address");
      close();
      return;
    }
    history.opened();
    int rest = first.length - header.length();
    if (rest > 0 && secure()) {
      tls.receive(buffers, first, header.length());
    } else if (rest > 0) {
      connection.receive(first, header.length(), rest, loop.nowNanos());
    }
  }

  /** A proxy that is none, or speaks another language. */
  void onProxyFault(String fault) {
    loop.knocks().proxy(peer(), fault, loop.nowNanos());
    history.endsBecause("PROXY: " + fault);
    close();
  }

  // ---- TLS

  private boolean secure() {
    return tls != null && tls.active();
  }

  /** Counts the handshake of this connection, if it is in one. */
  void noteHandshake() {
    if (!inHandshake && state == State.OPEN && handshaking()) {
      inHandshake = true;
      loop.handshakeBegun(this);
    }
  }

  private void handshakeEnded() {
    if (inHandshake) {
      inHandshake = false;
      loop.handshakeEnded();
    }
  }

  /** Whether its handshake counts against the limit. */
  boolean inHandshake() {
    return inHandshake;
  }

  /** When it was accepted. */
  long openedNanos() {
    return history.openedNanos();
  }

  /** Ends the connection because there are too many handshakes. */
  void giveUpHandshake(int max) {
    limitReached(Limit.HANDSHAKES, "there are more than " + max + " handshakes, its is the oldest");
    history.endsBecause("too many handshakes");
    lost(null);
  }

  /** Whether a TLS handshake is under way. */
  boolean handshaking() {
    return tls != null && tls.handshaking();
  }

  /** What this connection may speak instead of plaintext, or {@code null}. */
  TlsContext tlsContext() {
    return tls == null ? null : tls.context();
  }

  /** The peer has begun a handshake on a port where it may. */
  void beginTls(byte[] first) {
    try {
      tls.begin(buffers, first);
      noteHandshake();
    } catch (IOException e) {
      failure = e;
      schedule();
    }
  }

  /** The peer speaks plaintext where it may not. */
  void onPlaintext(byte[] bytes, int length) {
    switch (ProxyProtocol.start(bytes, length)) {
      case V1, V2 -> loop.knocks().proxyNotExpected(peer(), loop.nowNanos());
      case UNDECIDED, NONE -> loop.knocks().plaintext(peer(), loop.nowNanos());
    }
    close();
  }

  /** The peer broke the rules of TLS. */
  void onTlsFault(SSLException fault) {
    loop.knocks().handshake(peer(), fault.getMessage(), loop.nowNanos());
    history.endsBecause("TLS: " + fault.getMessage());
    close();
  }

  /** The handshake is done. */
  void onSecured(String protocol) {
    handshakeEnded();
    if (connection instanceof UndecidedConnection undecided) {
      undecided.secured(protocol, loop.nowNanos());
    }
  }

  /** What was in records: so many bytes, and whether the peer said that nothing follows. */
  void onPlain(byte[] bytes, int length, boolean end) throws IOException {
    if (length > 0 && state == State.OPEN) {
      connection.receive(bytes, 0, length, loop.nowNanos());
    }
    if (end && state == State.OPEN && !endOfInput) {
      endOfInput();
    }
  }

  /**
   * The peer sends no more. HTTP/2 has no half-closed connections, and a client process that died
   * looks the same, so the calls are over; what they have produced is still sent. In HTTP/1.1 the
   * peer may wait for its answer.
   */
  private void endOfInput() throws IOException {
    endOfInput = true;
    if (connection.inputEnded(loop.nowNanos())) {
      updateInterest();
      return;
    }
    history.endsBecause("client closed");
    send();
    tellClosed();
    close();
  }

  private void onWritable() throws IOException {
    if (out.isEmpty() || state == State.CLOSED) {
      return;
    }
    out.writeBacklog();
    updateInterest();
    if (!out.blocked() && state == State.OPEN) {
      touch();
      connection.transmit();
    }
    endBurst();
  }

  /** The end of the loop's turn, if {@link #schedule} asked for it. */
  void runScheduled() {
    scheduled = false;
    try {
      if (wakeAsked && state == State.OPEN) {
        wakeAsked = false;
        touch();
        connection.transmit();
      }
      if (!entries.isEmpty()) {
        touch();
        entries.deliverAll();
      }
      endBurst();
    } catch (IOException e) {
      lost(e);
    } catch (Throwable e) {
      fault(e);
    }
    if (!entries.isEmpty()) {
      schedule(); // a fault kept some from running
    }
  }

  /** Takes an entry of the outbox for the end of the turn. */
  void enqueue(OutboxEntry entry) {
    entries.add(entry);
    schedule();
  }

  /** Runs something that speaks to this connection's engine as one burst. */
  void burst(Runnable action) {
    try {
      touch();
      action.run();
      endBurst();
    } catch (IOException e) {
      lost(e);
    } catch (Throwable e) {
      fault(e);
    }
  }

  /** Begins an orderly end. */
  void drain(long nowNanos) {
    if (state == State.OPEN) {
      burst(() -> connection.drain(nowNanos));
      expire(nowNanos);
    }
  }

  /** Acts on limits of time; afterwards {@link #deadlineNanos} says when to call again. */
  void expire(long nowNanos) {
    touched = false;
    if (state == State.CLOSED) {
      return;
    }
    if (farewell != null) {
      if (farewell.isOver(out.sentBytes(), nowNanos)) {
        lost(null);
      } else {
        deadlineNanos = farewell.deadlineNanos();
      }
      return;
    }
    try {
      deadlineNanos = connection.expire(nowNanos);
      endBurst();
    } catch (IOException e) {
      lost(e);
    } catch (Throwable e) {
      fault(e);
    }
  }

  /** Ends the connection here and now, e.g. because the time for an orderly end is over. */
  void abort() {
    history.endsBecause("server stopped");
    lost(null);
  }

  /** Ends the connection for the memory it keeps. */
  void evict(long maxBytes) {
    String reason = waiting.bytes() + " bytes waited for it, of " + maxBytes + " in all";
    limitReached(Limit.QUEUED_BYTES, reason);
    history.endsBecause(reason);
    reset = true;
    lost(null);
  }

  /** Says that a limit has done its work. */
  void limitReached(Limit limit, String reason) {
    history.limitReached(limit, reason);
  }

  @Override
  public void limitReached(PeerLimit limit, String reason) {
    limitReached(Limit.valueOf(limit.name()), reason);
  }

  /** The memory that is kept for this connection's bytes. */
  WaitingBytes waiting() {
    return waiting;
  }

  @Override
  public void held(int partialBytes, int streamBytes) {
    waiting.held(partialBytes, streamBytes);
  }

  /** When to call {@link #expire} at the latest, or {@link Long#MAX_VALUE}. */
  long deadlineNanos() {
    return deadlineNanos;
  }

  /** Whether something happened since the last {@link #expire}, so that the deadline may differ. */
  boolean touched() {
    return touched;
  }

  private void touch() {
    if (!touched) {
      touched = true;
      loop.watchTimers();
    }
  }

  /** Whether the socket is gone. */
  boolean isClosed() {
    return state == State.CLOSED;
  }

  // ---- what the engine asks for

  @Override
  public Output output() {
    return buffers.lend(this);
  }

  @Override
  public void flush() {
    try {
      send();
    } catch (IOException e) {
      // The engine is on the stack: it is told when it has returned.
      failure = e;
      out.block();
      buffers.release(this);
      schedule();
    }
  }

  @Override
  public void wake() {
    wakeAsked = true;
    schedule();
  }

  @Override
  public void close() {
    if (state == State.OPEN) {
      history.endsBecause("server closed");
      handshakeEnded();
      state = State.CLOSING;
      farewell = new Farewell(out.sentBytes(), loop.nowNanos());
      deadlineNanos = farewell.deadlineNanos();
      loop.watchTimers();
      updateInterest();
      schedule();
    }
  }

  @Override
  public void readable(boolean on) {
    reading = on;
    updateInterest();
  }

  @Override
  public boolean writable() {
    return !out.blocked();
  }

  @Override
  public long queuedBytes() {
    return out.queuedBytes();
  }

  @Override
  public void wentAway(ErrorCode code, String reason) {
    history.wentAway(code, reason);
  }

  @Override
  public SSLSession tlsSession() {
    return tls == null ? null : tls.session();
  }

  @Override
  public Principal peerUser() {
    return history.relayed() ? null : PeerCredentials.user(channel);
  }

  @Override
  public Principal peerGroup() {
    return history.relayed() ? null : PeerCredentials.group(channel);
  }

  @Override
  public SocketAddress peer() {
    return history.peer();
  }

  @Override
  public SocketAddress local() {
    return history.local();
  }

  // ---- output

  /** Asks for {@link #runScheduled} at the end of the turn. */
  void schedule() {
    if (!scheduled) {
      scheduled = true;
      loop.schedule(this);
    }
  }

  /** Takes over the bytes in the output, because another connection needs it. */
  void park(Output output) {
    if (state == State.CLOSED || failure != null) {
      return;
    }
    try {
      if (secure()) {
        tls.keep(output, buffers, out);
      } else {
        out.keep(output);
      }
    } catch (IOException e) {
      // Another connection is on the stack: this one is told at the end of the turn.
      failure = e;
      schedule();
    }
  }

  private void endBurst() throws IOException {
    if (failure != null) {
      throw failure;
    }
    send();
    if (state == State.CLOSING && out.isEmpty()) {
      finish();
    }
    countWaiting();
  }

  private void countWaiting() {
    if (state != State.CLOSED) {
      long queued = out.keptBytes() + (connection == null ? 0 : connection.queuedBytes());
      waiting.update(queued, out.sentBytes(), history.receivedBytes(), loop.nowNanos());
    }
  }

  private void send() throws IOException {
    Output output = buffers.filledBy(this);
    if (output != null && (state == State.OPEN || state == State.CLOSING)) {
      if (secure()) {
        tls.send(output, buffers);
      } else {
        write(output);
      }
    }
    buffers.release(this);
    out.writeKept();
    updateInterest();
  }

  /** Writes bytes, encrypted already where they are to be. */
  void write(Output wire) throws IOException {
    out.write(wire);
    updateInterest();
  }

  private void updateInterest() {
    int ops = out.blocked() ? SelectionKey.OP_WRITE : 0;
    if (state == State.LINGERING || (state == State.OPEN && reading && !endOfInput)) {
      ops |= SelectionKey.OP_READ;
    }
    if (ops != interestOps && state != State.CLOSED) {
      interestOps = ops;
      key.interestOps(ops);
    }
  }

  // ---- the end

  /** Everything is written: nobody waits for the engine any more, but the peer may still send. */
  private void finish() throws IOException {
    if (secure()) {
      tls.end(buffers);
      if (!out.isEmpty()) {
        return; // comes again when all is written
      }
    }
    if (endOfInput) {
      lost(null);
      return;
    }
    state = State.LINGERING;
    farewell.linger(out.sentBytes(), loop.nowNanos());
    deadlineNanos = farewell.deadlineNanos();
    loop.watchTimers();
    updateInterest();
    channel.shutdownOutput();
    tellClosed();
  }

  private void discardInput() throws IOException {
    int length = buffers.read(channel);
    if (length < 0 || !farewell.dropped(length, loop.nowNanos())) {
      lost(null);
    }
  }

  private void fault(Throwable e) {
    if (state != State.CLOSED) {
      history.endsBecause("server fault");
      lost(null);
      Log.error("closed the connection of " + peer() + " after a fault", e);
    }
  }

  private void lost(IOException cause) {
    if (state == State.CLOSED) {
      return;
    }
    if (cause != null) {
      history.endsBecause(cause);
      Log.debug("connection of " + peer() + " lost", cause);
    }
    state = State.CLOSED;
    handshakeEnded();
    out.discard();
    buffers.release(this);
    if (reset) {
      out.resetOnClose();
    }
    loop.forget(this, channel, history.counted());
    history.ended(tlsSession(), out.sentBytes());
    tellClosed();
    waiting.clear();
    if (tls != null) {
      tls.release(buffers);
    }
  }

  /** Once; afterwards the engine is garbage even while the socket lingers. */
  private void tellClosed() {
    Connection told = connection;
    connection = null;
    if (told != null) {
      try {
        told.closed();
      } catch (Throwable e) {
        Log.error("a fault while closing the connection of " + peer(), e);
      }
    }
  }
}
