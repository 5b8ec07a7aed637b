package dev.peregrine.rpc.protocol;

/**
 * Arrays in which messages longer than a slice were assembled, kept for the next such messages.
 * Loop-confined, one per loop.
 *
 * <p>A new array of a megabyte costs more than what is done with it: it is zeroed, grows by copies,
 * and none of its memory is in a cache (bench/streams, unary-1m and ping-100k).
 */
final class SpareArrays {

  /** What is kept at most, in bytes: the longest message by default, or a few of the usual ones. */
  private static final int MAX_BYTES = 4 << 20;

  /** How many arrays are kept at most, so that looking through them costs nothing. */
  private static final int MAX_ARRAYS = 8;

  /** Shorter ones are as cheap to make, in bytes. */
  private static final int MIN_ARRAY_BYTES = 16 << 10;

  private final byte[][] arrays = new byte[MAX_ARRAYS][];
  private int count;
  private int keptBytes;

  /**
   * The shortest array that holds so many bytes, or else the longest there is, or {@code null}. It
   * is full of old bytes.
   */
  byte[] take(int bytes) {
    int best = -1;
    for (int i = 0; i < count; i++) {
      if (best < 0 || isBetter(arrays[i].length, arrays[best].length, bytes)) {
        best = i;
      }
    }
    return best < 0 ? null : remove(best);
  }

  private static boolean isBetter(int length, int than, int wanted) {
    return than < wanted ? length > than : length >= wanted && length < than;
  }

  /** Keeps an array which nobody uses any more, if it is worth it. */
  void give(byte[] array) {
    if (array.length < MIN_ARRAY_BYTES || array.length > MAX_BYTES) {
      return;
    }
    // The oldest make room: traffic of another kind must not be stuck with their sizes.
    while (count == MAX_ARRAYS || keptBytes + array.length > MAX_BYTES) {
      remove(0);
    }
    arrays[count++] = array;
    keptBytes += array.length;
  }

  private byte[] remove(int index) {
    byte[] array = arrays[index];
    count--;
    System.arraycopy(arrays, index + 1, arrays, index, count - index);
    arrays[count] = null;
    keptBytes -= array.length;
    return array;
  }
}
