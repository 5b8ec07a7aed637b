package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Status;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Request messages on their way from a loop to a blocking handler. {@link #take}: handler thread;
 * {@link #put}, {@link #close}, {@link #drop}: loop-confined.
 *
 * <p>A stack which the reader takes whole and turns around. No wake-up is lost: the reader names
 * itself before it looks once more, and the loop looks for a reader after it has put.
 */
final class RequestQueue<Q> {

  private static final VarHandle NEWEST;
  private static final VarHandle QUEUED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      NEWEST = lookup.findVarHandle(RequestQueue.class, "newest", Node.class);
      QUEUED = lookup.findVarHandle(RequestQueue.class, "queuedBytes", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final class Node<Q> {
    private final Q message;
    private final int bytes;
    private Node<Q> next;

    Node(Q message, int bytes) {
      this.message = message;
      this.bytes = bytes;
    }
  }

  // Crossing.
  private volatile Node<Q> newest;
  private volatile int queuedBytes;
  private volatile Status end;
  private volatile Thread reader;

  // Handler.
  private Node<Q> oldest;

  /** Adds a message. */
  void put(Q message, int bytes) {
    QUEUED.getAndAdd(this, bytes);
    Node<Q> node = new Node<>(message, bytes);
    do {
      node.next = newest;
    } while (!NEWEST.compareAndSet(this, node.next, node));
    wake();
  }

  /** No more messages will come: OK after the last one, anything else when the call is over. */
  void close(Status status) {
    if (end == null || end.isOk()) {
      end = status;
      wake();
    }
  }

  /**
   * The call is over: what the handler has not taken is of no use any more, and need not wait for
   * its thread.
   */
  void drop() {
    @SuppressWarnings("unchecked")
    Node<Q> node = (Node<Q>) NEWEST.getAndSet(this, (Node<?>) null);
    for (; node != null; node = node.next) {
      QUEUED.getAndAdd(this, -node.bytes);
    }
  }

  private void wake() {
    Thread waiting = reader;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }

  /** Bytes of messages that were put and not taken. Any thread. */
  int queuedBytes() {
    return queuedBytes;
  }

  /**
   * Waits for a message.
   *
   * @return the message, or {@code null} after the last one
   * @throws dev.peregrine.rpc.RpcException if the call is over
   */
  Q take() {
    while (true) {
      Status ended = end;
      if (ended != null && !ended.isOk()) {
        throw ended.exception();
      }
      Q message = poll();
      if (message != null) {
        return message;
      }
      if (ended != null) {
        if (!end.isOk()) {
          continue; // what is not there any more was dropped, not taken
        }
        return null;
      }
      failIfInterrupted();
      await();
    }
  }

  /** A parked thread would return at once for ever. The flag stays for who looks at it next. */
  static void failIfInterrupted() {
    if (Thread.currentThread().isInterrupted()) {
      throw Status.CANCELLED.withMessage("the handler's thread was interrupted").exception();
    }
  }

  /** The next message that is there already, or {@code null}. */
  Q poll() {
    if (oldest == null) {
      takeAll();
    }
    if (oldest == null) {
      return null;
    }
    Node<Q> node = oldest;
    oldest = node.next;
    QUEUED.getAndAdd(this, -node.bytes);
    return node.message;
  }

  /** Whether the last message was taken and no other will come. */
  boolean isFinished() {
    // In this order: a message put before the end is seen.
    return end != null && oldest == null && newest == null;
  }

  private void takeAll() {
    @SuppressWarnings("unchecked")
    Node<Q> node = (Node<Q>) NEWEST.getAndSet(this, (Node<?>) null);
    while (node != null) {
      Node<Q> older = node.next;
      node.next = oldest;
      oldest = node;
      node = older;
    }
  }

  private void await() {
    reader = Thread.currentThread();
    try {
      if (newest == null && end == null) {
        LockSupport.park(this);
      }
    } finally {
      reader = null;
    }
  }
}
