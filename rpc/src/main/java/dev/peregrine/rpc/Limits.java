package dev.peregrine.rpc;

/**
 * What a call may use at most. Defaults are safe for the open internet. Immutable.
 *
 * @param maxRequestBytes the largest request message, decoded as announced by its prefix: 4 MiB,
 *     what every gRPC library expects
 * @param maxResponseBytes the largest response message; larger ones are a fault of the handler and
 *     end the call with RESOURCE_EXHAUSTED. 2 GiB − 1: a server trusts its own handlers
 * @param maxQueuedResponseBytes how many bytes of responses may wait for a slow client per call
 *     before {@code send} waits, 256 KiB: a few round trips at full speed
 * @param maxQueuedRequestBytes how many bytes of requests may wait for a slow handler per call
 *     before the client's window is no longer given back, 256 KiB
 * @param maxBatchCalls how many calls a batch handler is given at once, 256
 */
public record Limits(
    int maxRequestBytes,
    int maxResponseBytes,
    int maxQueuedResponseBytes,
    int maxQueuedRequestBytes,
    int maxBatchCalls) {

  /** The defaults. */
  public static final Limits DEFAULTS =
      new Limits(4 * 1024 * 1024, Integer.MAX_VALUE, 256 * 1024, 256 * 1024, 256);

  /** Checks that every limit is at least 1. */
  public Limits {
    if (maxRequestBytes < 1
        || maxResponseBytes < 1
        || maxQueuedResponseBytes < 1
        || maxQueuedRequestBytes < 1
        || maxBatchCalls < 1) {
      throw new IllegalArgumentException("a limit must be at least 1");
    }
  }

  /** The same with another {@link #maxRequestBytes}. */
  public Limits withMaxRequestBytes(int bytes) {
    return new Limits(
        bytes, maxResponseBytes, maxQueuedResponseBytes, maxQueuedRequestBytes, maxBatchCalls);
  }

  /** The same with another {@link #maxResponseBytes}. */
  public Limits withMaxResponseBytes(int bytes) {
    return new Limits(
        maxRequestBytes, bytes, maxQueuedResponseBytes, maxQueuedRequestBytes, maxBatchCalls);
  }

  /** The same with another {@link #maxQueuedResponseBytes}. */
  public Limits withMaxQueuedResponseBytes(int bytes) {
    return new Limits(
        maxRequestBytes, maxResponseBytes, bytes, maxQueuedRequestBytes, maxBatchCalls);
  }

  /** The same with another {@link #maxQueuedRequestBytes}. */
  public Limits withMaxQueuedRequestBytes(int bytes) {
    return new Limits(
        maxRequestBytes, maxResponseBytes, maxQueuedResponseBytes, bytes, maxBatchCalls);
  }

  /** The same with another {@link #maxBatchCalls}. */
  public Limits withMaxBatchCalls(int calls) {
    return new Limits(
        maxRequestBytes, maxResponseBytes, maxQueuedResponseBytes, maxQueuedRequestBytes, calls);
  }
}
