package dev.peregrine.server;

import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.protocol.Deadlines;
import dev.peregrine.rpc.protocol.Loop;
import dev.peregrine.rpc.protocol.Outbox;
import dev.peregrine.rpc.protocol.OutboxEntry;
import dev.peregrine.wire.Transport;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * One thread, one selector, and the connections whose bytes they move. {@link #execute}, {@link
 * #outbox}, {@link #load} and {@link #inLoop}: any thread; the rest: loop-confined.
 *
 * <p>A turn: wait for sockets; read each that is ready and answer it in one write; then what other
 * threads asked for; then what is still to be written; then limits of time. Nothing here is locked,
 * and a turn makes no garbage.
 */
final class EventLoop implements Loop {

  /** A selector that fails is tried again after this; faster would only fill the log. */
  private static final long FAILURE_PAUSE_NANOS = 100_000_000L;

  private static final int INITIAL_SCHEDULED = 64;

  private final Thread thread;

  // Made beforehand: the fault may be that there is no memory left.
  private final String faultLine;
  private final String taskFaultLine;

  private final Selector selector;
  private final long spinNanos;
  private final SharedState shared;
  private final LoopBuffers buffers = new LoopBuffers();
  private final LoopBytes bytes;
  private final HandlerSet handlers = new HandlerSet();
  private final List<Listener> listeners = new ArrayList<>();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Outbox outbox = new Outbox(this::wakeUp);
  private final Consumer<SelectionKey> onReady = this::ready;

  /** Connections here or promised to be: what new ones are placed by. Any thread. */
  private final AtomicInteger load = new AtomicInteger();

  /**
   * True only while the loop may be blocked in the selector. A wake-up is a system call on this
   * side and another one in the loop, so it happens once, and only if it is needed.
   */
  private final AtomicBoolean asleep = new AtomicBoolean();

  /** Written by the loop alone, now and then, for any thread to read. */
  private final AtomicInteger openCalls = new AtomicInteger();

  private final AtomicInteger handshakes = new AtomicInteger();

  private Engines engines;
  private SocketHandler[] scheduled = new SocketHandler[INITIAL_SCHEDULED];
  private int scheduledCount;
  private long nowNanos = System.nanoTime();
  private final Deadlines deadlines = new Deadlines(nowNanos);
  private long spinUntilNanos = nowNanos;
  private boolean clockStale;
  private boolean worked;
  private boolean draining;
  private boolean aborted;

  /**
   * A loop which does not run yet.
   *
   * @param spinNanos how long to look for work before blocking; 0 to block at once
   * @param shared hears of closed connections, and of this loop's end
   */
  EventLoop(int index, long spinNanos, SharedState shared) throws IOException {
    this.thread = new Thread(this::run, "peregrine-loop-" + index);
    this.faultLine = "a fault in " + thread.getName() + "; it goes on";
    this.taskFaultLine = "a fault in a task of " + thread.getName();
    this.selector = openSelector();
    this.spinNanos = spinNanos;
    this.bytes = new LoopBytes(shared.queued());
    this.shared = shared;
  }

  private static Selector openSelector() throws IOException {
    // The JDK needs a file descriptor once, when the first channel of a JVM is closed. If there is
    // none left then, no channel can ever be closed, so it is made to happen here.
    SocketChannel.open().close();
    return Selector.open();
  }

  /** Starts the thread. */
  void start(Engines engines) {
    this.engines = engines;
    thread.start();
  }

  // ---- any thread

  /** Runs a task on the loop, soon. After the loop's end it is never run. */
  void execute(Runnable task) {
    tasks.add(task);
    wakeUp();
  }

  @Override
  public Outbox outbox() {
    return outbox;
  }

  @Override
  public boolean inLoop() {
    return Thread.currentThread() == thread;
  }

  /** How many connections this loop has or is about to get. */
  AtomicInteger load() {
    return load;
  }

  /** Calls that had not ended at the end of the last turn. */
  int openCalls() {
    return openCalls.get();
  }

  /** TLS handshakes in progress. */
  int handshakes() {
    return handshakes.get();
  }

  private void wakeUp() {
    if (asleep.get() && asleep.compareAndSet(true, false)) {
      selector.wakeup();
    }
  }

  // ---- the loop

  private void run() {
    try {
      while (!finished()) {
        try {
          turn();
        } catch (Throwable e) {
          Log.error(faultLine, e);
          LockSupport.parkNanos(FAILURE_PAUSE_NANOS);
        }
      }
    } finally {
      end();
    }
  }

  private void turn() throws IOException {
    worked = false;
    select();
    engines.burstEnded();
    runTasks();
    takeOutbox();
    deadlines.expire(nowNanos);
    runScheduled();
    engines.burstEnded();
    handlers.sweep(nowNanos);
    bytes.relieve(handlers, nowNanos);
    for (int i = 0; i < listeners.size(); i++) {
      listeners.get(i).resume(nowNanos);
    }
    if (engines.openCalls() != openCalls.getPlain()) {
      openCalls.setRelease(engines.openCalls());
    }
    if (worked && spinNanos > 0) {
      spinUntilNanos = nowNanos + spinNanos;
    }
  }

  private void select() throws IOException {
    // An interrupt, e.g. by a handler that runs here, would make every select return at once.
    Thread.interrupted();
    clockStale = true;
    if (scheduledCount > 0) {
      selector.selectNow(onReady);
    } else if (spinNanos > 0 && spinUntilNanos - nowNanos > 0) {
      Thread.onSpinWait();
      selector.selectNow(onReady);
    } else {
      asleep.set(true);
      // Looked at after asleep is set, so that whoever adds something either is seen
      // here or wakes us.
      if (tasks.isEmpty() && outbox.isEmpty()) {
        selector.select(onReady, timeoutMillis());
      } else {
        selector.selectNow(onReady);
      }
      asleep.lazySet(false);
    }
    if (clockStale) {
      readClock();
    }
  }

  private void selectNow() {
    try {
      selector.selectNow(onReady);
    } catch (IOException e) {
      Log.warn("the selector of " + thread.getName() + " failed", e);
    }
  }

  private void ready(SelectionKey key) {
    if (clockStale) {
      readClock();
      worked = true;
      asleep.lazySet(false);
    }
    Selectable target = (Selectable) key.attachment();
    if (key.isValid()) {
      target.ready(key.readyOps());
      bytes.relieve(handlers, nowNanos);
    }
  }

  private void readClock() {
    nowNanos = System.nanoTime();
    clockStale = false;
  }

  /** How long the selector may block, rounded up; 0 is for ever. */
  private long timeoutMillis() {
    long next = Math.min(handlers.nextSweepNanos(), deadlines.nextNanos());
    next = Math.min(next, bytes.nextLookNanos(nowNanos));
    for (int i = 0; i < listeners.size(); i++) {
      next = Math.min(next, listeners.get(i).resumeNanos());
    }
    if (next == Long.MAX_VALUE) {
      return 0;
    }
    return Math.max(1, (next - nowNanos + 999_999) / 1_000_000);
  }

  private void runTasks() {
    Runnable task;
    while ((task = tasks.poll()) != null) {
      worked = true;
      try {
        task.run();
      } catch (Throwable e) {
        Log.error(taskFaultLine, e);
      }
    }
  }

  /** Gives the entries of other threads to their connections: each writes once. */
  private void takeOutbox() {
    OutboxEntry entry = outbox.takeAll();
    while (entry != null) {
      worked = true;
      OutboxEntry next = entry.next();
      ((SocketHandler) entry.transport()).enqueue(entry);
      entry = next;
    }
  }

  private void runScheduled() {
    // Only those scheduled so far: an engine that asks again must not keep the others waiting.
    int count = scheduledCount;
    if (count == 0) {
      return;
    }
    for (int i = 0; i < count; i++) {
      scheduled[i].runScheduled();
      bytes.relieve(handlers, nowNanos);
    }
    int rest = scheduledCount - count;
    System.arraycopy(scheduled, count, scheduled, 0, rest);
    Arrays.fill(scheduled, rest, scheduledCount, null);
    scheduledCount = rest;
  }

  // ---- what handlers and listeners ask for

  LoopBuffers buffers() {
    return buffers;
  }

  /** Where peers are named that speak what they should not. */
  KnockLog knocks() {
    return engines.knocks();
  }

  /** The places for connections. */
  ConnectionBudget budget() {
    return shared.budget();
  }

  /** Where this loop's connections count what they keep. */
  LoopBytes bytes() {
    return bytes;
  }

  @Override
  public boolean admits(Transport transport) {
    SocketHandler socket = (SocketHandler) transport;
    if (bytes.admits(socket.waiting().bytes())) {
      return true;
    }
    socket.limitReached(Limit.QUEUED_BYTES, "refused a call: too many bytes wait to be read");
    return false;
  }

  @Override
  public boolean reserveRequest(Transport transport, int length) {
    WaitingBytes waiting = ((SocketHandler) transport).waiting();
    if (bytes.admitsRequest(waiting.bytes(), length, handlers.size())) {
      waiting.heldRequest(length);
      return true;
    }
    return false;
  }

  @Override
  public void releaseRequest(Transport transport, int length) {
    ((SocketHandler) transport).waiting().heldRequest(-length);
  }

  @Override
  public boolean reserve(int bytes) {
    return shared.queued().reserve(bytes);
  }

  @Override
  public void release(int bytes) {
    shared.queued().add(-bytes);
  }

  @Override
  public void limitReached(Limit limit, Transport transport, String reason) {
    ((SocketHandler) transport).limitReached(limit, reason);
  }

  @Override
  public boolean isPressed() {
    return shared.queued().total() > shared.queued().scarceBytes();
  }

  /** A handshake begins: with too many, the oldest other one is given up. */
  void handshakeBegun(SocketHandler socket) {
    int count = handshakes.getPlain() + 1;
    handshakes.setRelease(count);
    if (count > shared.maxHandshakes()) {
      SocketHandler oldest = handlers.oldestHandshake(socket);
      if (oldest != null) {
        oldest.giveUpHandshake(shared.maxHandshakes());
      }
    }
  }

  /** A handshake is done or will never be. */
  void handshakeEnded() {
    handshakes.setRelease(handshakes.getPlain() - 1);
  }

  /** Hears of connections and limits. */
  ServerWatch watch() {
    return shared.watch();
  }

  @Override
  public long nowNanos() {
    return nowNanos;
  }

  @Override
  public Deadlines deadlines() {
    return deadlines;
  }

  /** Has {@link SocketHandler#runScheduled} called at the end of the turn. */
  void schedule(SocketHandler handler) {
    if (scheduledCount == scheduled.length) {
      scheduled = Arrays.copyOf(scheduled, scheduledCount * 2);
    }
    scheduled[scheduledCount++] = handler;
  }

  /** A limit of time may have begun to run. */
  void watchTimers() {
    handlers.watch(nowNanos);
  }

  /** Takes a socket over, which {@link #load} and the budget count already. */
  void adopt(SocketChannel channel, SocketAddress peer, SiteSettings settings) {
    SocketHandler handler = null;
    try {
      handler = new SocketHandler(this, channel, peer, settings);
      handler.start(
          channel.register(selector, SelectionKey.OP_READ, handler),
          engines.open(handler, settings, nowNanos));
      handlers.add(handler);
      handler.noteHandshake();
      handler.opened();
      watchTimers();
      if (aborted) {
        handler.abort();
      } else if (draining) {
        handler.drain(nowNanos);
      }
    } catch (IOException e) {
      Log.debug("a connection was lost before it began", e);
      forget(handler, channel, settings.trusts(peer) ? null : peer);
    } catch (RuntimeException | Error e) {
      Log.error("a fault while adopting a connection", e);
      forget(handler, channel, settings.trusts(peer) ? null : peer);
    }
  }

  /**
   * Closes a socket and forgets its handler.
   *
   * @param handler {@code null} if it never had one
   * @param counted the address it was counted by, or {@code null}
   */
  void forget(SocketHandler handler, SocketChannel channel, SocketAddress counted) {
    if (handler != null) {
      handlers.remove(handler);
    }
    try {
      channel.close();
    } catch (IOException e) {
      Log.debug("closing a socket failed", e);
    }
    load.decrementAndGet();
    shared.budget().release(counted);
  }

  /** Begins to accept. */
  void add(Listener listener) throws IOException {
    listeners.add(listener);
    listener.register(selector);
  }

  // ---- the end

  /** Stops accepting and begins an orderly end of every connection. Once. */
  void drain() {
    listeners.forEach(Listener::unregister);
    selectNow();
    listeners.forEach(Listener::close);
    listeners.clear();
    shared.shutdown().acceptingEnded();
    draining = true;
    handlers.drain(nowNanos);
  }

  /** Ends every connection at once. */
  void abort() {
    aborted = true;
    handlers.abort();
  }

  private boolean finished() {
    return draining && handlers.size() == 0 && shared.shutdown().nothingComes() && tasks.isEmpty();
  }

  private void end() {
    try {
      selector.close();
    } catch (IOException e) {
      Log.warn("closing a selector failed", e);
    }
    shared.shutdown().loopEnded();
  }
}
