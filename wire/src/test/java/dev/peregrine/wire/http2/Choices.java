package dev.peregrine.wire.http2;

/** Where a random session gets its decisions from: a fuzzer, or a seed. Loop-confined. */
interface Choices {

  /** Whether there is more to decide. */
  boolean more();

  /** A number in 0 to {@code bound} − 1. */
  int below(int bound);
}
