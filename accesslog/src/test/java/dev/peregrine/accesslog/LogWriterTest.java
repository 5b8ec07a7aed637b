package dev.peregrine.accesslog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The queue, the thread and the file. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LogWriterTest {

  @TempDir Path folder;

  private static byte[] line(String text) {
    return (text + "\n").getBytes(UTF_8);
  }

  /** Takes nothing before it is released. */
  private static final class SlowDisk extends OutputStream {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final StringBuilder taken = new StringBuilder();

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      reached.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      taken.append(new String(bytes, offset, length, UTF_8));
    }
  }

  @Test
  void linesBeyondTheQueueAreDroppedAndCountedAndNobodyWaits() throws Exception {
    SlowDisk disk = new SlowDisk();
    try (LogWriter writer = new LogWriter(new LogTarget.Stream(disk), 2).start()) {
      writer.offer(line("first"));
      disk.reached.await();
      for (int i = 0; i < 10; i++) {
        writer.offer(line("more"));
      }
      assertEquals(8, writer.dropped());
      disk.released.countDown();
    }
    assertEquals("first\nmore\nmore\n", disk.taken.toString());
  }

  @Test
  void whatComesAfterTheEndIsCounted() throws Exception {
    LogWriter writer = new LogWriter(new LogTarget.File(folder.resolve("log")), 2).start();
    writer.close();
    writer.offer(line("late"));
    assertEquals(1, writer.dropped());
  }

  @Test
  void renamedFileIsLeftForANewOne() throws Exception {
    Path file = folder.resolve("access.log");
    Path old = folder.resolve("access.log.1");
    try (LogWriter writer = new LogWriter(new LogTarget.File(file), 100).start()) {
      writer.offer(line("one"));
      writer.flush();
      Files.move(file, old);
      writer.offer(line("two"));
      writer.flush();
      writer.reopen();
      writer.offer(line("three"));
    }
    assertEquals("one\ntwo\n", Files.readString(old));
    assertEquals("three\n", Files.readString(file));
  }

  @Test
  void fileThatWasThereIsAppendedTo() throws Exception {
    Path file = Files.writeString(folder.resolve("access.log"), "before\n");
    try (LogWriter writer = new LogWriter(new LogTarget.File(file), 100).start()) {
      writer.offer(line("after"));
    }
    assertEquals("before\nafter\n", Files.readString(file));
  }

  @Test
  void fileThatCannotBeOpenedIsToldAtTheStart() {
    LogTarget target = new LogTarget.File(folder.resolve("no").resolve("log"));
    assertThrows(IOException.class, () -> new LogWriter(target, 1));
  }

  @Test
  void diskThatFailsLosesLinesAndIsTriedAgain() throws Exception {
    Path file = folder.resolve("access.log");
    class Failing implements LogTarget {
      private int opened;

      @Override
      public OutputStream open() throws IOException {
        opened++;
        return opened > 1
            ? Files.newOutputStream(file)
            : new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException("No space left on device");
              }
            };
      }

      @Override
      public boolean owned() {
        return true;
      }
    }
    try (LogWriter writer = new LogWriter(new Failing(), 100).start()) {
      writer.offer(line("lost"));
      writer.flush();
      writer.offer(line("written"));
      writer.flush();
      assertTrue(writer.dropped() >= 1, "the lost line was not counted");
    }
    assertEquals("written\n", Files.readString(file));
  }
}
