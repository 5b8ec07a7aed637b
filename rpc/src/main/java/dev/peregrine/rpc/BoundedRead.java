package dev.peregrine.rpc;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads what a peer has compressed, up to a bound. Any thread. */
final class BoundedRead {

  /** Text and JSON shrink to about a quarter. */
  private static final int EXPECTED_RATIO = 4;

  private static final int MIN_STEP_BYTES = 256;

  private BoundedRead() {}

  static byte[] readAll(InputStream in, int compressedBytes, int maxBytes) throws IOException {
    long guess = Math.max(MIN_STEP_BYTES, (long) compressedBytes * EXPECTED_RATIO);
    byte[] target = new byte[(int) Math.min(guess, maxBytes)];
    int filled = 0;
    while (true) {
      if (filled == target.length) {
        int more = in.read();
        if (more < 0) {
          return target;
        }
        if (filled == maxBytes) {
          throw Status.RESOURCE_EXHAUSTED
              .withMessage("a decompressed message is over the limit of " + maxBytes + " bytes")
              .exception();
        }
        target = Arrays.copyOf(target, (int) Math.min(maxBytes, target.length * 2L));
        target[filled++] = (byte) more;
      }
      int step = in.read(target, filled, target.length - filled);
      if (step < 0) {
        return Arrays.copyOf(target, filled);
      }
      filled += step;
    }
  }
}
