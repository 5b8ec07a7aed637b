package dev.peregrine.accesslog;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * The thread that writes lines, and the bounded queue in front of it. {@link #offer} and the
 * counts: any thread; {@link #flush} and {@link #close} wait.
 *
 * <p>Each line is either handed to its target or counted as dropped, exactly once. Of lines that
 * were written together when the disk failed, some may have left all the same.
 */
final class LogWriter implements Runnable, AutoCloseable {

  private static final System.Logger LOG = System.getLogger("dev.peregrine.accesslog");

  /** Lines are written together up to here: some 300. Each is far shorter. */
  private static final int BATCH_BYTES = 64 * 1024;

  /** How often the log says that the access log is in trouble. */
  private static final long COMPLAINT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** A disk that takes longer for a full queue must not keep a server from stopping. */
  private static final long FLUSH_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final LogTarget target;

  /** Lines as {@code byte[]}; and latches, by which {@link #flush} waits. */
  private final ArrayBlockingQueue<Object> queue;

  private final LongAdder dropped = new LongAdder();
  private final AtomicBoolean reopening = new AtomicBoolean();
  private final AtomicBoolean closing = new AtomicBoolean();

  /** Nothing that is put into the queue now is taken by the writer. */
  private final AtomicBoolean ended = new AtomicBoolean();

  private final Thread thread;

  // Writer thread.
  private final ByteArrayOutputStream batch = new ByteArrayOutputStream(BATCH_BYTES);
  private int batchLines;
  private OutputStream out;
  private long complainedNanos = System.nanoTime() - COMPLAINT_NANOS;
  private long droppedTold;

  LogWriter(LogTarget target, int queueLines) throws IOException {
    this.target = target;
    this.queue = new ArrayBlockingQueue<>(queueLines);
    this.out = target.open();
    this.thread = new Thread(this, "peregrine-access-log");
    thread.setDaemon(true);
  }

  LogWriter start() {
    thread.start();
    return this;
  }

  /** Has a line written, or drops and counts it if too many wait. */
  void offer(byte[] line) {
    if (closing.get() || !queue.offer(line)) {
      dropped.increment();
    } else if (ended.get() && queue.remove(line)) {
      // It came while the writer went, and neither the writer nor its last look has seen it.
      dropped.increment();
    }
  }

  /** Lines that were not written. */
  long dropped() {
    return dropped.sum();
  }

  /** Has the writer open its target again before the next line. */
  void reopen() {
    reopening.set(true);
    wake();
  }

  private void wake() {
    // If this finds no room, there are lines that wake the writer.
    boolean unused = queue.offer(new CountDownLatch(1));
  }

  /** Waits until everything offered so far is written, for some seconds at most. */
  void flush() {
    long endNanos = System.nanoTime() + FLUSH_NANOS;
    CountDownLatch written = new CountDownLatch(1);
    try {
      if (!ended.get()
          && queue.offer(written, FLUSH_NANOS, TimeUnit.NANOSECONDS)
          && !(ended.get() && queue.remove(written))) {
        boolean unused = written.await(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes what waits, and ends the thread. */
  @Override
  public void close() {
    closing.set(true);
    wake();
    try {
      thread.join(TimeUnit.NANOSECONDS.toMillis(FLUSH_NANOS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- Writer thread.

  @Override
  public void run() {
    try {
      while (!closing.get()) {
        take(queue.take());
      }
      for (Object entry = queue.poll(); entry != null; entry = queue.poll()) {
        take(entry);
      }
    } catch (InterruptedException e) {
      // Nobody else knows this thread: whoever interrupts it wants it to end.
      Thread.currentThread().interrupt();
    }
    closing.set(true);
    spill();
    closeTarget();
    ended.set(true);
    for (Object late = queue.poll(); late != null; late = queue.poll()) {
      if (late instanceof CountDownLatch latch) {
        latch.countDown();
      } else {
        dropped.increment();
      }
    }
    complainedNanos = System.nanoTime() - COMPLAINT_NANOS;
    tellDrops();
  }

  private void take(Object entry) {
    if (reopening.compareAndSet(true, false)) {
      reopenTarget();
    }
    if (entry instanceof byte[] line) {
      if (batch.size() + line.length > BATCH_BYTES) {
        spill();
      }
      batch.writeBytes(line);
      batchLines++;
      if (queue.isEmpty()) {
        spill();
      }
    } else if (entry instanceof CountDownLatch latch) {
      spill();
      latch.countDown();
    }
  }

  /** Writes the lines of the batch; those that cannot be are dropped. */
  private void spill() {
    try {
      if (batchLines > 0) {
        if (out == null) {
          out = target.open();
        }
        batch.writeTo(out);
        out.flush();
      }
    } catch (IOException | RuntimeException | Error e) {
      // A stream of the user's may throw anything; the next lines are tried all the same.
      dropped.add(batchLines);
      complain("cannot be written to", e);
      closeTarget();
    } finally {
      batch.reset();
      batchLines = 0;
    }
    tellDrops();
  }

  private void reopenTarget() {
    if (target.owned()) {
      spill();
      closeTarget();
      try {
        out = target.open();
      } catch (IOException | RuntimeException | Error e) {
        // Tried again with the next line.
        complain("cannot be opened at", e);
      }
    }
  }

  /** Closes the target, or lets go of it; {@link #spill} opens it again. No line is in it. */
  private void closeTarget() {
    OutputStream closed = out;
    out = null;
    try {
      if (closed != null && target.owned()) {
        closed.close();
      }
    } catch (IOException | RuntimeException | Error e) {
      complain("cannot be closed at", e);
    }
  }

  private void tellDrops() {
    long now = dropped.sum();
    if (now != droppedTold && permitsComplaint()) {
      log("the access log has dropped " + (now - droppedTold) + " lines");
      droppedTold = now;
    }
  }

  private void complain(String what, Throwable fault) {
    if (permitsComplaint()) {
      log("the access log " + what + " " + target + ": " + fault);
    }
  }

  private boolean permitsComplaint() {
    long nowNanos = System.nanoTime();
    if (nowNanos - complainedNanos < COMPLAINT_NANOS) {
      return false;
    }
    complainedNanos = nowNanos;
    return true;
  }

  private static void log(String text) {
    try {
      LOG.log(System.Logger.Level.WARNING, text);
    } catch (RuntimeException | Error e) {
      // Whatever the logger has against it: this thread has lines to write.
      drop(e);
    }
  }

  private static void drop(@SuppressWarnings("unused") Throwable e) {
    // Whatever we tried now would fail as well.
  }
}
