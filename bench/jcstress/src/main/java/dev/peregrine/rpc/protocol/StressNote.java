package dev.peregrine.rpc.protocol;

/** An entry with plain fields, which an offer must publish. */
final class StressNote extends StressEntry {

  private static final int UNWRITTEN = 100;

  private boolean written;
  private int runs;

  /** Writes and is offered. */
  void offerTo(Outbox outbox) {
    written = true;
    outbox.offer(this);
  }

  /** How often it was delivered; {@code UNWRITTEN} for each time that came without its data. */
  int runs() {
    return runs;
  }

  @Override
  protected void runOnLoop() {
    runs += written ? 1 : UNWRITTEN;
  }
}
