package dev.peregrine.rpc.protocol;

/**
 * Holds a client back while the handler of its stream is behind: beyond a mark of waiting requests,
 * the receive window is not given back until they were taken. Loop-confined, but for {@link
 * #isDue}.
 */
final class ReceiveCredit {

  /** What waits is counted by as much, so that single small messages are none of its concern. */
  private static final int COUNTED_STEP_BYTES = 16 * 1024;

  private final ServerCall<?, ?> call;
  private final RequestQueue<?> requests;
  private final int markBytes;
  private int withheldBytes;

  // Crossing.
  private volatile boolean withholding;
  private volatile int countedBytes;

  ReceiveCredit(ServerCall<?, ?> call, RequestQueue<?> requests, int markBytes) {
    this.call = call;
    this.requests = requests;
    this.markBytes = markBytes;
  }

  /**
   * Content arrived. Up to the mark the window moves on at once, so that a message larger than the
   * window can arrive.
   */
  void arrived(int bytes) {
    count();
    if (requests.queuedBytes() <= markBytes) {
      call.stream.credit(bytes);
      return;
    }
    withheldBytes += bytes;
    withholding = true;
    // Looked at again after the flag is up: the handler may have taken the last message just
    // before.
    giveBack();
  }

  /** Gives back what was withheld, if the handler has caught up. */
  void giveBack() {
    count();
    if (isCaughtUp()) {
      withholding = false;
      int bytes = withheldBytes;
      withheldBytes = 0;
      call.stream.credit(bytes);
    }
  }

  private void count() {
    int waiting = requests.queuedBytes() / COUNTED_STEP_BYTES * COUNTED_STEP_BYTES;
    if (waiting != countedBytes) {
      call.holdForHandler(waiting - countedBytes);
      countedBytes = waiting;
    }
  }

  private boolean isCaughtUp() {
    return withholding && requests.queuedBytes() <= markBytes;
  }

  /** Whether {@link #giveBack} would do something. Any thread. */
  boolean isDue() {
    return isCaughtUp() || countedBytes - requests.queuedBytes() > COUNTED_STEP_BYTES;
  }
}
