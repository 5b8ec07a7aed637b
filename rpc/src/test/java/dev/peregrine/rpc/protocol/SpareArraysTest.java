package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.peregrine.rpc.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpareArraysTest {

  private static final int KIB = 1024;

  private final SpareArrays spares = new SpareArrays();

  @Test
  void givesTheShortestThatIsLongEnough() {
    byte[] large = new byte[300 * KIB];
    byte[] fitting = new byte[200 * KIB];
    byte[] small = new byte[100 * KIB];
    spares.give(large);
    spares.give(fitting);
    spares.give(small);
    assertSame(fitting, spares.take(150 * KIB));
    assertSame(large, spares.take(150 * KIB));
    assertSame(small, spares.take(150 * KIB));
    assertNull(spares.take(1));
  }

  @Test
  void keepsNoMoreThanFourMegabytesAndTheNewest() {
    for (int i = 0; i < 20; i++) {
      spares.give(new byte[KIB * KIB]);
    }
    byte[] newest = new byte[KIB * KIB + 1];
    spares.give(newest);
    assertSame(newest, spares.take(KIB * KIB + 1));
    int kept = 0;
    while (spares.take(1) != null) {
      kept++;
    }
    assertEquals(2, kept);
  }

  @Test
  void keepsNeitherSmallNorHugeArrays() {
    spares.give(new byte[100]);
    spares.give(new byte[5 * KIB * KIB]);
    assertNull(spares.take(1));
  }

  @Test
  void readersThatShareThemDoNotMixTheirMessages() {
    Random random = new Random(7);
    int calls = 5;
    List<EnvelopeReader> readers = new ArrayList<>();
    List<Whole> sinks = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      readers.add(new EnvelopeReader(KIB * KIB, spares));
      sinks.add(new Whole());
    }
    for (int round = 0; round < 20; round++) {
      byte[][] sent = new byte[calls][];
      int[] at = new int[calls];
      for (int i = 0; i < calls; i++) {
        sent[i] = new byte[EnvelopeReader.PREFIX_BYTES + 20_000 + random.nextInt(200_000)];
        random.nextBytes(sent[i]);
        int length = sent[i].length - EnvelopeReader.PREFIX_BYTES;
        byte[] prefix = {0, 0, (byte) (length >> 16), (byte) (length >> 8), (byte) length};
        System.arraycopy(prefix, 0, sent[i], 0, prefix.length);
      }
      for (int left = calls; left > 0; ) {
        int i = random.nextInt(calls);
        int step = Math.min(sent[i].length - at[i], 1 + random.nextInt(30_000));
        if (step > 0) {
          readers.get(i).read(sent[i], at[i], step, sinks.get(i));
          at[i] += step;
          left -= at[i] == sent[i].length ? 1 : 0;
        }
      }
      for (int i = 0; i < calls; i++) {
        byte[] body = Arrays.copyOfRange(sent[i], EnvelopeReader.PREFIX_BYTES, sent[i].length);
        assertEquals(Arrays.hashCode(body), sinks.get(i).hash);
        assertEquals(round + 1, sinks.get(i).messages);
      }
    }
  }

  private static final class Whole implements MessageSink {
    private int hash;
    private int messages;

    @Override
    public boolean onMessage(int flags, byte[] bytes, int offset, int length) {
      hash = Arrays.hashCode(Arrays.copyOfRange(bytes, offset, offset + length));
      messages++;
      return true;
    }

    @Override
    public void onBroken(Status status) {
      throw new AssertionError(status);
    }
  }
}
