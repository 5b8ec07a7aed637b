package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.RequestParts.concat;
import static dev.peregrine.rpc.protocol.RequestParts.message;
import static dev.peregrine.rpc.protocol.RequestParts.prefix;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages are found whatever the slices; an announced length alone costs nothing. */
class EnvelopeReaderTest {

  private static final int MAX_BYTES = 100_000;

  /** Notes what it is told; goes on until told otherwise. */
  private static final class Notes implements MessageSink {
    private final List<String> lines = new ArrayList<>();
    private int messagesLeft = Integer.MAX_VALUE;

    @Override
    public boolean onMessage(int flags, byte[] bytes, int offset, int length) {
      byte[] content = Arrays.copyOfRange(bytes, offset, offset + length);
      lines.add(flags + " " + length + " " + Arrays.hashCode(content));
      return --messagesLeft > 0;
    }

    @Override
    public void onBroken(Status status) {
      lines.add(status.toString());
    }
  }

  private static List<String> read(byte[] content, int[] cut) {
    Notes notes = new Notes();
    EnvelopeReader reader = new EnvelopeReader(MAX_BYTES);
    int at = 0;
    for (int step : cut) {
      reader.read(content, at, step, notes);
      at += step;
    }
    assertFalse(reader.incomplete());
    return notes.lines;
  }

  @Test
  void findsTheSameMessagesHoweverTheContentIsCut() {
    Random random = new Random(3);
    for (int round = 0; round < 20; round++) {
      byte[][] messages = new byte[1 + random.nextInt(6)][];
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < messages.length; i++) {
        byte[] content = new byte[random.nextInt(60)];
        random.nextBytes(content);
        int flags = random.nextInt(2);
        messages[i] = message(flags, content);
        expected.add(flags + " " + content.length + " " + Arrays.hashCode(content));
      }
      byte[] all = concat(messages);
      for (int[] cut : Cuts.of(all.length)) {
        assertEquals(expected, read(all, cut), () -> Arrays.toString(cut));
      }
    }
  }

  @Test
  void longMessagesAreAssembledFromSlicesOfAnySize() {
    byte[] content = new byte[MAX_BYTES];
    new Random(4).nextBytes(content);
    byte[] all = concat(message(0, content), message(0, new byte[1]), message(1, content));
    List<String> expected = read(all, new int[] {all.length});
    assertEquals(3, expected.size());
    for (int step : new int[] {1, 5, 16_384, 16_385, 65_536}) {
      int[] cut = new int[(all.length + step - 1) / step];
      Arrays.fill(cut, step);
      cut[cut.length - 1] = all.length - step * (cut.length - 1);
      assertEquals(expected, read(all, cut));
    }
  }

  @Test
  void isIncompleteInsideAPrefixAndInsideAMessageOnly() {
    byte[] one = message("hello");
    EnvelopeReader reader = new EnvelopeReader(MAX_BYTES);
    Notes notes = new Notes();
    assertFalse(reader.incomplete());
    for (int i = 0; i < one.length; i++) {
      reader.read(one, i, 1, notes);
      assertEquals(i < one.length - 1, reader.incomplete(), "after byte " + i);
    }
    reader.read(prefix(0, 0), 0, 5, notes);
    assertFalse(reader.incomplete());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 100001, RESOURCE_EXHAUSTED: a message of 100001 bytes is over the limit of 100000",
    "1, 2147483647, RESOURCE_EXHAUSTED: a message of 2147483647 bytes is over the limit of 100000",
    "0, 2147483648, RESOURCE_EXHAUSTED: a message of 2147483648 bytes is over the limit of 100000",
    "0, 4294967295, RESOURCE_EXHAUSTED: a message of 4294967295 bytes is over the limit of 100000",
    "2, 1, INTERNAL: a message's flags are 2",
    "3, 4294967295, INTERNAL: a message's flags are 3",
    "128, 0, INTERNAL: a message's flags are 128",
  })
  void breaksAtThePrefixAndAllocatesNothingForIt(int flags, long length, String status) {
    byte[] content = concat(prefix(flags, length), new byte[50_000]);
    boolean warm = false;
    // The whole comes twice: the first time, the JVM makes what it needs to join strings.
    for (int step : new int[] {content.length, content.length, 5, 4, 1}) {
      Notes notes = new Notes();
      EnvelopeReader reader = new EnvelopeReader(MAX_BYTES);
      long before = Allocation.bytes();
      for (int at = 0; notes.lines.isEmpty(); at += step) {
        reader.read(content, at, Math.min(step, content.length - at), notes);
      }
      long allocated = Allocation.bytes() - before;
      assertEquals(List.of(status), notes.lines);
      if (warm) {
        assertTrue(allocated < 20_000, "allocated " + allocated);
      }
      warm = true;
    }
  }

  @Test
  void announcedMessageCostsMemoryOnlyAsItArrives() {
    int announced = 64 * 1024 * 1024;
    EnvelopeReader reader = new EnvelopeReader(announced);
    Notes notes = new Notes();
    byte[] begin = concat(prefix(0, announced), new byte[100]);
    byte[] more = new byte[10_000];
    long before = Allocation.bytes();
    reader.read(begin, 0, begin.length, notes);
    assertTrue(Allocation.bytes() - before < 40_000, "for 100 bytes");
    for (int i = 0; i < 100; i++) {
      reader.read(more, 0, more.length, notes);
    }
    long allocated = Allocation.bytes() - before;
    assertTrue(allocated < 5_000_000, "for a megabyte: " + allocated);
    assertEquals(List.of(), notes.lines);
  }

  @Test
  void stopsWhenTheSinkHasEnough() {
    Notes notes = new Notes();
    notes.messagesLeft = 2;
    byte[] all = concat(message("a"), message("b"), message("c"));
    new EnvelopeReader(MAX_BYTES).read(all, 0, all.length, notes);
    assertEquals(2, notes.lines.size());
  }
}
