package dev.peregrine.accesslog;

import dev.peregrine.rpc.CallEnd;
import dev.peregrine.rpc.HttpEnd;
import dev.peregrine.rpc.ServerLifecycle;
import dev.peregrine.rpc.ServerObserver;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Writes a line for each call and each other request, when it has ended. Any thread.
 *
 * <pre>{@code
 * AccessLog log = AccessLog.toFile(Path.of("access.log")).json().start();
 * Server.builder().port(50051).add(new Greeter()).observe(log).start();
 * }</pre>
 *
 * <p>Lines are made on the event loop and written by a thread of the log's own. If the disk is too
 * slow, lines are dropped and {@linkplain #dropped() counted}: no call ever waits for the log. When
 * a server stops, what it has logged is written before it says so.
 */
public final class AccessLog implements ServerObserver, ServerLifecycle, AutoCloseable {

  /** Some seconds of a busy server, some 2 MB. */
  public static final int DEFAULT_QUEUE_LINES = 8192;

  private final LogWriter writer;
  private final LineFormat format;
  private final boolean query;

  private AccessLog(Builder builder) throws IOException {
    this.writer = new LogWriter(builder.target, builder.queueLines).start();
    this.format = builder.format;
    this.query = builder.query;
  }

  /** What a log is like. One thread. */
  public static final class Builder {

    private final LogTarget target;
    private LineFormat format = LineFormat.COMMON;
    private boolean query;
    private int queueLines = DEFAULT_QUEUE_LINES;

    private Builder(LogTarget target) {
      this.target = target;
    }

    /**
     * Writes each line as a JSON object, rather than in Apache's combined format with protocol,
     * code, bytes received, microseconds and version of TLS behind it.
     */
    public Builder json() {
      format = LineFormat.JSON;
      return this;
    }

    /**
     * Writes queries, too, of paths and of referring pages. By default they are left out: a call by
     * GET has its whole message there, and others their tokens.
     */
    public Builder withQuery() {
      query = true;
      return this;
    }

    /**
     * How many lines may wait for the disk; more are dropped.
     *
     * @param lines at least 1; 8192 by default
     */
    public Builder queue(int lines) {
      if (lines < 1) {
        throw new IllegalArgumentException("queue(" + lines + "): at least 1 is needed");
      }
      queueLines = lines;
      return this;
    }

    /**
     * Opens the log.
     *
     * @throws IOException if its file cannot be opened
     */
    public AccessLog start() throws IOException {
      return new AccessLog(this);
    }
  }

  /** A log that is appended to a file, which is made if it is not there. */
  public static Builder toFile(Path file) {
    return new Builder(new LogTarget.File(Objects.requireNonNull(file, "file")));
  }

  /** A log to a stream, e.g. {@code System.out}. It is flushed, and never closed. */
  public static Builder to(OutputStream stream) {
    return new Builder(new LogTarget.Stream(Objects.requireNonNull(stream, "stream")));
  }

  @Override
  public void callEnded(CallEnd end) {
    log(Entry.of(end, System.currentTimeMillis()));
  }

  @Override
  public void httpEnded(HttpEnd end) {
    log(Entry.of(end, System.currentTimeMillis()));
  }

  private void log(Entry entry) {
    writer.offer(format.line(entry, query));
  }

  /** How many lines were not written: too many waited, or the disk took none. */
  public long dropped() {
    return writer.dropped();
  }

  /**
   * Opens the file again before the next line: call it when the file was renamed, for example by
   * logrotate. Returns at once; does nothing for a stream.
   */
  public void reopen() {
    writer.reopen();
  }

  /** Waits until everything logged so far is written, 5 s at most. */
  public void flush() {
    writer.flush();
  }

  /** A server has stopped: {@link #flush}. */
  @Override
  public void onStop() {
    flush();
  }

  /** Writes what waits, 5 s at most, and closes the file. What is logged later is dropped. */
  @Override
  public void close() {
    writer.close();
  }
}
