package dev.peregrine.accesslog;

import java.io.BufferedOutputStream;
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
 */
final class LogWriter implements Runnable, AutoCloseable {

  private static final System.Logger LOG = System.getLogger("dev.peregrine.accesslog");

  private static final int BUFFER_BYTES = 64 * 1024;

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
  private final Thread thread;

  // Writer thread.
  private OutputStream out;
  private int unflushedLines;
  private long complainedNanos = System.nanoTime() - COMPLAINT_NANOS;
  private long droppedTold;

  LogWriter(LogTarget target, int queueLines) throws IOException {
    this.target = target;
    this.queue = new ArrayBlockingQueue<>(queueLines);
    this.out = open();
    this.thread = new Thread(this, "peregrine-access-log");
    thread.setDaemon(true);
  }

  LogWriter start() {
    thread.start();
    return this;
  }

  private OutputStream open() throws IOException {
    return new BufferedOutputStream(target.open(), BUFFER_BYTES);
  }

  /** Has a line written, or drops and counts it if too many wait. */
  void offer(byte[] line) {
    if (closing.get() || !queue.offer(line)) {
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
    // If this finds no room, there are lines that wake the writer.
    boolean unused = queue.offer(new CountDownLatch(1));
  }

  /** Waits until everything offered so far is written, for some seconds at most. */
  void flush() {
    long endNanos = System.nanoTime() + FLUSH_NANOS;
    CountDownLatch written = new CountDownLatch(1);
    try {
      if (queue.offer(written, FLUSH_NANOS, TimeUnit.NANOSECONDS) && thread.isAlive()) {
        boolean unused = written.await(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes what waits, and ends the thread. */
  @Override
  public void close() {
    if (closing.compareAndSet(false, true)) {
      flush();
      try {
        thread.join(TimeUnit.NANOSECONDS.toMillis(FLUSH_NANOS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  // ---- Writer thread.

  @Override
  public void run() {
    try {
      while (!(closing.get() && queue.isEmpty())) {
        write(queue.take());
      }
    } catch (InterruptedException e) {
      // Nobody else knows this thread: whoever interrupts it wants it to end.
      Thread.currentThread().interrupt();
    }
    closeTarget();
  }

  private void write(Object entry) {
    try {
      if (reopening.compareAndSet(true, false)) {
        reopenTarget();
      }
      if (entry instanceof byte[] line) {
        unflushedLines++;
        if (out == null) {
          out = open();
        }
        out.write(line);
      }
      if (queue.isEmpty() || !(entry instanceof byte[])) {
        if (out != null) {
          out.flush();
          unflushedLines = 0;
        }
        tellDrops();
      }
    } catch (IOException e) {
      // Those that were written since the last flush may have left in part: counted all the same.
      dropped.add(unflushedLines);
      complain("the access log cannot be written to " + target + ": " + e);
      closeTarget();
    } finally {
      if (entry instanceof CountDownLatch latch) {
        latch.countDown();
      }
    }
  }

  private void reopenTarget() throws IOException {
    if (target.owned()) {
      closeTarget();
      out = open();
    }
  }

  /** Closes the target, or lets go of it; {@link #write} opens it again. */
  private void closeTarget() {
    try {
      if (out != null && target.owned()) {
        out.close();
      } else if (out != null) {
        out.flush();
      }
    } catch (IOException e) {
      complain("the access log cannot be closed at " + target + ": " + e);
    }
    out = null;
    unflushedLines = 0;
  }

  private void tellDrops() {
    long now = dropped.sum();
    if (now != droppedTold
        && complain("the access log has dropped " + (now - droppedTold) + " lines")) {
      droppedTold = now;
    }
  }

  private boolean complain(String text) {
    long nowNanos = System.nanoTime();
    if (nowNanos - complainedNanos < COMPLAINT_NANOS) {
      return false;
    }
    complainedNanos = nowNanos;
    LOG.log(System.Logger.Level.WARNING, text);
    return true;
  }
}
