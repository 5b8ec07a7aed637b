package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.HttpStream;

/**
 * Holds a client back while the handler of its stream is behind: beyond a mark of waiting requests,
 * the receive window is not given back until they were taken. Loop-confined, but for {@link
 * #isDue}.
 */
final class ReceiveCredit {

  private final HttpStream stream;
  private final RequestQueue<?> requests;
  private final int markBytes;
  private int withheldBytes;

  // Crossing.
  private volatile boolean withholding;

  ReceiveCredit(HttpStream stream, RequestQueue<?> requests, int markBytes) {
    this.stream = stream;
    this.requests = requests;
    this.markBytes = markBytes;
  }

  /**
   * Content arrived. Up to the mark the window moves on at once, so that a message larger than the
   * window can arrive.
   */
  void arrived(int bytes) {
    if (requests.queuedBytes() <= markBytes) {
      stream.credit(bytes);
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
    if (isDue()) {
      withholding = false;
      int bytes = withheldBytes;
      withheldBytes = 0;
      stream.credit(bytes);
    }
  }

  /** Whether {@link #giveBack} would do something. Any thread. */
  boolean isDue() {
    return withholding && requests.queuedBytes() <= markBytes;
  }
}
