package dev.peregrine.rpc.protocol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Encoded responses on their way from any thread to a loop, and the count of bytes which the peer
 * has not taken. {@link #put}, {@link #isFull}: any thread; {@link #awaitRoom}: handler thread; the
 * rest: loop-confined.
 */
final class ResponseQueue {

  private static final VarHandle NEWEST;
  private static final VarHandle QUEUED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      NEWEST = lookup.findVarHandle(ResponseQueue.class, "newest", Chunk.class);
      QUEUED = lookup.findVarHandle(ResponseQueue.class, "queuedBytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final class Chunk {
    private final byte[] bytes;
    private Chunk next;

    Chunk(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  /** With more than this, producers should wait if the memory of the server is scarce. */
  private static final int PRESSED_MARK_BYTES = 16 * 1024;

  private final Loop loop;
  private final int markBytes;

  // Crossing.
  private volatile Chunk newest;
  private volatile long queuedBytes;
  private volatile Thread writer;

  /** Whether somebody was told to wait below the mark, because of the server's memory. */
  private volatile boolean pressedTold;

  // Loop.
  private long inStreamBytes;

  /**
   * An empty queue.
   *
   * @param markBytes with more than this, producers should wait
   */
  ResponseQueue(Loop loop, int markBytes) {
    this.loop = loop;
    this.markBytes = markBytes;
  }

  /** Adds an encoded message, which is given away. */
  void put(byte[] encoded) {
    QUEUED.getAndAdd(this, (long) encoded.length);
    Chunk chunk = new Chunk(encoded);
    do {
      chunk.next = newest;
    } while (!NEWEST.compareAndSet(this, chunk.next, chunk));
  }

  /** Whether nothing is on its way to the loop. */
  boolean isEmpty() {
    return newest == null;
  }

  /** Whether producers should wait. */
  boolean isFull() {
    long queued = queuedBytes;
    return queued > markBytes || (queued > PRESSED_MARK_BYTES && isFullUnderPressure());
  }

  private boolean isFullUnderPressure() {
    if (!loop.isPressed()) {
      return false;
    }
    pressedTold = true;
    // Looked at again after the flag is up: the last byte may have left just before, and nothing
    // would be said of it any more.
    return queuedBytes > PRESSED_MARK_BYTES;
  }

  /** Waits while the queue is full and the call goes on. */
  void awaitRoom(ServerCall<?, ?> call) {
    while (isFull() && !call.isCancelled()) {
      RequestQueue.failIfInterrupted();
      writer = Thread.currentThread();
      if (isFull() && !call.isCancelled()) {
        LockSupport.park(this);
      }
      writer = null;
    }
  }

  /** Wakes who waits for room. Any thread. */
  void wake() {
    Thread waiting = writer;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }

  /**
   * Moves everything to the stream.
   *
   * @return whether the queue is not full now but was before
   */
  boolean drain(ServerCall<?, ?> call) {
    Chunk chunk = (Chunk) NEWEST.getAndSet(this, (Chunk) null);
    Chunk ordered = null;
    while (chunk != null) {
      Chunk older = chunk.next;
      chunk.next = ordered;
      ordered = chunk;
      chunk = older;
    }
    long moved = 0;
    for (Chunk next = ordered; next != null; next = next.next) {
      call.sendHead();
      call.writeEncoded(next.bytes);
      moved += next.bytes.length;
    }
    return account(call, moved);
  }

  /**
   * Brings the count up to what the stream holds now: takes off what has left since the last time,
   * and adds what the loop has sent without putting it here.
   *
   * <p>Each change of the count is one atomic step and only this one takes off, so each turn from
   * full to not full is seen here, and once.
   *
   * @param moved what went from here to the stream meanwhile
   * @return whether the queue is not full now but was before
   */
  boolean account(ServerCall<?, ?> call, long moved) {
    long still = call.stream.queuedBytes();
    long left = inStreamBytes + moved - still;
    inStreamBytes = still;
    long before = (long) QUEUED.getAndAdd(this, -left);
    long now = before - left;
    boolean room = now <= markBytes;
    boolean turned = room && before > markBytes;
    if (pressedTold && now <= PRESSED_MARK_BYTES) {
      pressedTold = false;
      turned = true;
    }
    if (room) {
      wake();
    }
    return turned;
  }
}
