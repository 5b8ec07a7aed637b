package dev.peregrine.rpc.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Ways to cut content into slices, as lists of the slices' lengths. Any thread. */
final class Cuts {

  private static final int RANDOM_CUTS = 25;

  /** Beyond this, content is not cut at every offset: that would take its square in time. */
  private static final int EVERY_OFFSET_BYTES = 300;

  private Cuts() {}

  /** Whole; cut in two at every offset; byte by byte, with and without empty slices; at random. */
  static List<int[]> of(int length) {
    List<int[]> cuts = new ArrayList<>();
    cuts.add(new int[] {length});
    for (int at = 0; at <= length && length <= EVERY_OFFSET_BYTES; at++) {
      cuts.add(new int[] {at, length - at});
    }
    int[] single = new int[length];
    Arrays.fill(single, 1);
    cuts.add(single);
    int[] spaced = new int[2 * length];
    for (int i = 0; i < length; i++) {
      spaced[2 * i] = 1;
    }
    cuts.add(spaced);
    Random random = new Random(length);
    for (int i = 0; i < RANDOM_CUTS; i++) {
      cuts.add(random(length, random));
    }
    return cuts;
  }

  private static int[] random(int length, Random random) {
    List<Integer> cut = new ArrayList<>();
    int rest = length;
    while (rest > 0) {
      int step = Math.min(rest, random.nextInt(1 + Math.max(2, length / 3)));
      cut.add(step);
      rest -= step;
    }
    return cut.stream().mapToInt(Integer::intValue).toArray();
  }
}
