package dev.peregrine.server;

import dev.peregrine.rpc.protocol.FlightRecording;
import dev.peregrine.rpc.protocol.OutboxEntry;
import dev.peregrine.wire.Connection;
import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.Output;
import dev.peregrine.wire.Transport;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
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

  /**
   * What may wait for a peer that does not read. Engines stop at {@link #writable} and have bounds
   * of their own, far below; this one holds whatever they do.
   */
  private static final int MAX_BACKLOG_BYTES = 16 * 1024 * 1024;

  /** How long the last bytes may take to be accepted by the peer once the connection ends. */
  private static final long FLUSH_NANOS = 5_000_000_000L;

  /**
   * How long input is read and dropped after our FIN. Closing a socket with unread input sends RST,
   * which may destroy the last answer on its way (RFC 9112, 9.6). About one round trip is needed.
   */
  private static final long LINGER_NANOS = 500_000_000L;

  /** How much input is dropped at most while lingering, so that a flood gains nothing by it. */
  private static final int LINGER_BYTES = 1024 * 1024;

  private enum State {
    OPEN,
    CLOSING,
    LINGERING,
    CLOSED
  }

  private final EventLoop loop;
  private final LoopBuffers buffers;
  private final SocketChannel channel;
  private final SocketAddress peer;
  private final SocketAddress local;
  private final TlsContext tlsContext;
  private final long openedNanos;
  private SelectionKey key;
  private Connection connection;
  private TlsChannel tls;
  private Backlog backlog;
  private IOException failure;
  private OutboxEntry firstEntry;
  private OutboxEntry lastEntry;
  private State state = State.OPEN;
  private int interestOps = SelectionKey.OP_READ;
  private int lingeredBytes;
  private long deadlineNanos = Long.MAX_VALUE;
  private long receivedBytes;
  private long sentBytes;
  private String endReason;
  private boolean reading = true;
  private boolean blocked;
  private boolean endOfInput;
  private boolean tlsEnded;
  private boolean wakeAsked;
  private boolean scheduled;
  private boolean touched = true;

  /** Where the loop keeps this connection. */
  int index;

  /**
   * A handler which does nothing yet.
   *
   * @param tlsContext what is spoken, or {@code null} for plaintext
   */
  SocketHandler(EventLoop loop, SocketChannel channel, SocketAddress peer, TlsContext tlsContext)
      throws IOException {
    this.loop = loop;
    this.buffers = loop.buffers();
    this.channel = channel;
    this.peer = peer;
    this.local = channel.getLocalAddress();
    this.tlsContext = tlsContext;
    this.tls =
        tlsContext == null || tlsContext.plaintextAllowed()
            ? null
            : new TlsChannel(tlsContext.newEngine());
    this.openedNanos = loop.nowNanos();
  }

  /** Begins: the key is registered for reading. */
  void start(SelectionKey key, Connection connection) {
    this.key = key;
    this.connection = connection;
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
        int length = tls == null ? buffers.read(channel) : readRecords();
        if (length < 0) {
          endOfInput();
        } else if (length > 0 && tls == null) {
          receivedBytes += length;
          connection.receive(buffers.input(), 0, length, loop.nowNanos());
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

  // ---- TLS

  /** What this connection may speak instead of plaintext, or {@code null}. */
  TlsContext tlsContext() {
    return tlsContext;
  }

  /** The peer has begun a handshake on a port where it may. */
  void beginTls(byte[] first) {
    tls = new TlsChannel(tlsContext.newEngine());
    TlsBuffers memory = buffers.tls();
    System.arraycopy(first, 0, memory.records(), 0, first.length);
    try {
      takeRecords(memory, first.length);
    } catch (IOException e) {
      failure = e;
      schedule();
    }
  }

  /** Reads once, and returns how much the socket had. */
  private int readRecords() throws IOException {
    TlsBuffers memory = buffers.tls();
    int held = tls.heldBytes();
    int length = buffers.read(channel, memory.records(), held);
    if (length > 0) {
      receivedBytes += length;
      tls.restoreHeld(memory.records());
      takeRecords(memory, held + length);
    }
    return length;
  }

  private void takeRecords(TlsBuffers memory, int length) throws IOException {
    if (tls.isPlaintext(memory.records())) {
      loop.knocks().plaintext(peer, loop.nowNanos());
      tlsEnded = true;
      close();
      return;
    }
    boolean established = tls.established();
    int plain = 0;
    try {
      plain = tls.receive(memory.records(), length, memory.plain(), memory.output());
    } catch (SSLException e) {
      loop.knocks().handshake(peer, e.getMessage(), loop.nowNanos());
      endsBecause("TLS: " + e.getMessage());
      tlsEnded = true;
      close();
    } finally {
      sendRecords(memory.output());
    }
    if (!established && tls.established() && connection instanceof UndecidedConnection undecided) {
      undecided.secured(tls.protocol(), loop.nowNanos());
    }
    if (plain > 0 && state == State.OPEN) {
      connection.receive(memory.plain(), 0, plain, loop.nowNanos());
    }
    if (tls.inboundEnded() && state == State.OPEN && !endOfInput) {
      endOfInput();
    }
  }

  /** Writes records, behind those that wait, and empties the output. */
  private void sendRecords(Output records) throws IOException {
    try {
      write(records);
    } finally {
      records.clear();
    }
  }

  /** What goes to the socket for plain bytes. */
  private Output wireForm(Output plain) throws IOException {
    if (tls == null) {
      return plain;
    }
    TlsBuffers memory = buffers.tls();
    tls.encrypt(plain, memory);
    return memory.output();
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
    endsBecause("client closed");
    send();
    tellClosed();
    close();
  }

  private void onWritable() throws IOException {
    if (backlog == null || state == State.CLOSED) {
      return;
    }
    writeBacklog();
    if (!blocked && state == State.OPEN) {
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
      runEntries();
      endBurst();
    } catch (IOException e) {
      lost(e);
    } catch (Throwable e) {
      fault(e);
    }
    if (firstEntry != null) {
      schedule(); // a fault kept some from running
    }
  }

  /** Takes an entry of the outbox for the end of the turn. */
  void enqueue(OutboxEntry entry) {
    entry.next(null);
    if (firstEntry == null) {
      firstEntry = entry;
    } else {
      lastEntry.next(entry);
    }
    lastEntry = entry;
    schedule();
  }

  private void runEntries() {
    if (firstEntry != null) {
      touch();
    }
    while (firstEntry != null) {
      OutboxEntry entry = firstEntry;
      firstEntry = entry.next(); // before it runs: it may be offered again then
      entry.deliver();
    }
    lastEntry = null;
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
    if (state != State.OPEN) {
      if (deadlineNanos - nowNanos <= 0) {
        lost(null);
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
    endsBecause("server stopped");
    lost(null);
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
      blocked = true;
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
      endsBecause("server closed");
      state = State.CLOSING;
      deadlineNanos = loop.nowNanos() + FLUSH_NANOS;
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
    return !blocked;
  }

  @Override
  public long queuedBytes() {
    return backlog == null ? 0 : backlog.size();
  }

  @Override
  public void wentAway(ErrorCode code, String reason) {
    endsBecause(reason.isEmpty() ? code.toString() : reason);
    if (FlightRecording.PRESENT) {
      GoAwayEvent.record(peer, code, reason);
    }
  }

  /** The first reason counts: what comes later follows from it. */
  private void endsBecause(String reason) {
    if (endReason == null) {
      endReason = reason;
    }
  }

  @Override
  public SSLSession tlsSession() {
    return tls == null ? null : tls.session();
  }

  @Override
  public SocketAddress peer() {
    return peer;
  }

  @Override
  public SocketAddress local() {
    return local;
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
      Output wire = wireForm(output);
      keep(wire);
      if (wire != output) {
        wire.clear();
      }
    } catch (IOException e) {
      // Another connection is on the stack: this one is told at the end of the turn.
      failure = e;
      schedule();
    }
  }

  private void keep(Output wire) {
    if (backlog == null) {
      backlog = new Backlog(wire, 0);
    } else {
      backlog.append(wire);
    }
  }

  private void endBurst() throws IOException {
    if (failure != null) {
      throw failure;
    }
    send();
    if (state == State.CLOSING && backlog == null) {
      finish();
    }
  }

  private void send() throws IOException {
    Output output = buffers.filledBy(this);
    if (output != null) {
      if (state == State.OPEN || state == State.CLOSING) {
        if (tls == null) {
          write(output);
        } else {
          sendRecords(wireForm(output));
        }
      }
    }
    buffers.release(this);
    if (backlog != null && !blocked) {
      writeBacklog();
    }
    if (backlog != null && backlog.size() > MAX_BACKLOG_BYTES) {
      throw new IOException("the peer does not read: " + backlog.size() + " bytes wait for it");
    }
  }

  /** Writes what goes to the socket now, or keeps it behind what waits. */
  private void write(Output wire) throws IOException {
    if (backlog != null) {
      keep(wire);
      return;
    }
    int written = buffers.write(channel, wire);
    sentBytes += written;
    if (written < wire.totalBytes()) {
      backlog = new Backlog(wire, written);
      block();
    }
  }

  private void writeBacklog() throws IOException {
    int waiting = backlog.size();
    boolean all = backlog.writeTo(channel, buffers);
    sentBytes += waiting - backlog.size();
    if (all) {
      backlog = null;
      blocked = false;
      updateInterest();
    } else {
      block();
    }
  }

  private void block() {
    blocked = true;
    updateInterest();
  }

  private void updateInterest() {
    int ops = blocked ? SelectionKey.OP_WRITE : 0;
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
    if (tls != null && !tlsEnded) {
      tlsEnded = true;
      TlsBuffers memory = buffers.tls();
      tls.end(memory.output());
      sendRecords(memory.output());
      if (backlog != null) {
        return; // comes again when all is written
      }
    }
    if (endOfInput) {
      lost(null);
      return;
    }
    state = State.LINGERING;
    deadlineNanos = loop.nowNanos() + LINGER_NANOS;
    loop.watchTimers();
    updateInterest();
    channel.shutdownOutput();
    tellClosed();
  }

  private void discardInput() throws IOException {
    int length = buffers.read(channel);
    lingeredBytes += Math.max(length, 0);
    if (length < 0 || lingeredBytes > LINGER_BYTES) {
      lost(null);
    }
  }

  private void fault(Throwable e) {
    if (state != State.CLOSED) {
      endsBecause("server fault");
      lost(null);
      Log.error("closed the connection of " + peer + " after a fault", e);
    }
  }

  private void lost(IOException cause) {
    if (state == State.CLOSED) {
      return;
    }
    if (cause != null) {
      endsBecause(cause.toString());
      Log.debug("connection of " + peer + " lost", cause);
    }
    state = State.CLOSED;
    blocked = true;
    backlog = null;
    buffers.release(this);
    loop.forget(this, channel, peer);
    if (FlightRecording.PRESENT) {
      ConnectionEvent.record(
          peer, endReason, loop.nowNanos() - openedNanos, receivedBytes, sentBytes);
    }
    tellClosed();
  }

  /** Once; afterwards the engine is garbage even while the socket lingers. */
  private void tellClosed() {
    Connection told = connection;
    connection = null;
    if (told != null) {
      try {
        told.closed();
      } catch (Throwable e) {
        Log.error("a fault while closing the connection of " + peer, e);
      }
    }
  }
}
