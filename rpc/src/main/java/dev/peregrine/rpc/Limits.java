package dev.peregrine.rpc;

import java.time.Duration;

/**
 * What calls may use at most. The defaults are safe for the open internet. Immutable, any thread:
 * each {@code with…} method returns a changed copy.
 */
public final class Limits {

  /** Says that a limit of time is not set. */
  public static final long NONE_NANOS = Long.MAX_VALUE;

  /** The defaults. */
  public static final Limits DEFAULTS = new Limits();

  private int maxRequestBytes = 4 * 1024 * 1024;
  private int maxResponseBytes = Integer.MAX_VALUE;
  private int maxQueuedResponseBytes = 256 * 1024;
  private int maxQueuedRequestBytes = 256 * 1024;
  private int maxBatchCalls = 256;
  private int maxCalls = 100_000;
  private long maxQueueWaitNanos = NONE_NANOS;
  private long defaultDeadlineNanos = NONE_NANOS;
  private long maxDeadlineNanos = NONE_NANOS;

  private Limits() {}

  private Limits(Limits other) {
    this.maxRequestBytes = other.maxRequestBytes;
    this.maxResponseBytes = other.maxResponseBytes;
    this.maxQueuedResponseBytes = other.maxQueuedResponseBytes;
    this.maxQueuedRequestBytes = other.maxQueuedRequestBytes;
    this.maxBatchCalls = other.maxBatchCalls;
    this.maxCalls = other.maxCalls;
    this.maxQueueWaitNanos = other.maxQueueWaitNanos;
    this.defaultDeadlineNanos = other.defaultDeadlineNanos;
    this.maxDeadlineNanos = other.maxDeadlineNanos;
  }

  /**
   * The largest request message in bytes, as announced by its prefix and again when decompressed.
   * Default 4 MiB, what every gRPC library expects.
   */
  public int maxRequestBytes() {
    return maxRequestBytes;
  }

  /**
   * The same with another {@link #maxRequestBytes}.
   *
   * @param bytes ≥ 1
   */
  public Limits withMaxRequestBytes(int bytes) {
    Limits changed = new Limits(this);
    changed.maxRequestBytes = positive(bytes);
    return changed;
  }

  /**
   * The largest response message in bytes; a larger one is a fault of the handler and ends the call
   * with RESOURCE_EXHAUSTED. Default 2 GiB − 1: a server trusts its own handlers.
   */
  public int maxResponseBytes() {
    return maxResponseBytes;
  }

  /**
   * The same with another {@link #maxResponseBytes}.
   *
   * @param bytes ≥ 1
   */
  public Limits withMaxResponseBytes(int bytes) {
    Limits changed = new Limits(this);
    changed.maxResponseBytes = positive(bytes);
    return changed;
  }

  /**
   * How many bytes of responses may wait for a slow client per call before {@code send} waits.
   * Default 256 KiB: a few round trips at full speed.
   */
  public int maxQueuedResponseBytes() {
    return maxQueuedResponseBytes;
  }

  /**
   * The same with another {@link #maxQueuedResponseBytes}.
   *
   * @param bytes ≥ 1
   */
  public Limits withMaxQueuedResponseBytes(int bytes) {
    Limits changed = new Limits(this);
    changed.maxQueuedResponseBytes = positive(bytes);
    return changed;
  }

  /**
   * How many bytes of requests may wait for a slow handler per call before the client's window is
   * no longer given back. Default 256 KiB.
   */
  public int maxQueuedRequestBytes() {
    return maxQueuedRequestBytes;
  }

  /**
   * The same with another {@link #maxQueuedRequestBytes}.
   *
   * @param bytes ≥ 1
   */
  public Limits withMaxQueuedRequestBytes(int bytes) {
    Limits changed = new Limits(this);
    changed.maxQueuedRequestBytes = positive(bytes);
    return changed;
  }

  /** How many calls a batch handler is given at once. Default 256. */
  public int maxBatchCalls() {
    return maxBatchCalls;
  }

  /**
   * The same with another {@link #maxBatchCalls}.
   *
   * @param calls ≥ 1
   */
  public Limits withMaxBatchCalls(int calls) {
    Limits changed = new Limits(this);
    changed.maxBatchCalls = positive(calls);
    return changed;
  }

  /**
   * How many calls a server has open at once; further ones are refused with RESOURCE_EXHAUSTED
   * before anything is decoded. Shared evenly by its event loops. Default 100,000: about 100 MB of
   * calls.
   */
  public int maxCalls() {
    return maxCalls;
  }

  /**
   * The same with another {@link #maxCalls}.
   *
   * @param calls ≥ 1
   */
  public Limits withMaxCalls(int calls) {
    Limits changed = new Limits(this);
    changed.maxCalls = positive(calls);
    return changed;
  }

  /**
   * How long a call may wait for a thread; one that waited longer is refused with UNAVAILABLE when
   * its turn comes, since its client has most likely given up. Default none.
   *
   * @return nanoseconds, or {@link #NONE_NANOS}
   */
  public long maxQueueWaitNanos() {
    return maxQueueWaitNanos;
  }

  /**
   * The same with another {@link #maxQueueWaitNanos}.
   *
   * @param limit positive; {@code null} for none
   */
  public Limits withMaxQueueWait(Duration limit) {
    Limits changed = new Limits(this);
    changed.maxQueueWaitNanos = nanosOf(limit);
    return changed;
  }

  /**
   * The deadline of calls that come without one, counted from their arrival. Default none.
   *
   * @return nanoseconds, or {@link #NONE_NANOS}
   */
  public long defaultDeadlineNanos() {
    return defaultDeadlineNanos;
  }

  /**
   * The same with another {@link #defaultDeadlineNanos}.
   *
   * @param limit positive; {@code null} for none
   */
  public Limits withDefaultDeadline(Duration limit) {
    Limits changed = new Limits(this);
    changed.defaultDeadlineNanos = nanosOf(limit);
    return changed;
  }

  /**
   * The latest deadline; calls that ask for more get this. Default none.
   *
   * @return nanoseconds, or {@link #NONE_NANOS}
   */
  public long maxDeadlineNanos() {
    return maxDeadlineNanos;
  }

  /**
   * The same with another {@link #maxDeadlineNanos}.
   *
   * @param limit positive; {@code null} for none
   */
  public Limits withMaxDeadline(Duration limit) {
    Limits changed = new Limits(this);
    changed.maxDeadlineNanos = nanosOf(limit);
    return changed;
  }

  private static int positive(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("a limit must be at least 1, not " + limit);
    }
    return limit;
  }

  private static long nanosOf(Duration limit) {
    if (limit == null) {
      return NONE_NANOS;
    }
    if (limit.isNegative() || limit.isZero()) {
      throw new IllegalArgumentException("a limit of time must be positive, not " + limit);
    }
    try {
      return limit.toNanos();
    } catch (ArithmeticException e) {
      return NONE_NANOS; // 292 years and more
    }
  }
}
