package dev.peregrine.accesslog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
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

  /** What the log of the server says of this one. */
  private static final class Complaints extends Handler implements AutoCloseable {
    private final List<String> texts = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger("dev.peregrine.accesslog");

    Complaints() {
      logger.setUseParentHandlers(false);
      logger.addHandler(this);
    }

    @Override
    public void publish(LogRecord entry) {
      texts.add(entry.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      logger.removeHandler(this);
      logger.setUseParentHandlers(true);
    }
  }

  /** A stream that is never given single bytes. */
  private abstract static class LinesTogether extends OutputStream {
    @Override
    public final void write(int b) {
      throw new AssertionError("lines are written together");
    }
  }

  // A stream of the user's may throw what it likes; the thread goes on.
  @Test
  void streamThatThrowsAnythingLosesLinesAndIsTriedAgain() throws Exception {
    StringBuilder taken = new StringBuilder();
    OutputStream stream =
        new LinesTogether() {
          private int calls;

          @Override
          public void write(byte[] bytes, int offset, int length) {
            calls++;
            if (calls == 1) {
              throw new IllegalStateException("no");
            }
            if (calls == 2) {
              throw new StackOverflowError();
            }
            taken.append(new String(bytes, offset, length, UTF_8));
          }
        };
    try (Complaints complaints = new Complaints()) {
      try (LogWriter writer = new LogWriter(new LogTarget.Stream(stream), 100).start()) {
        for (String text : List.of("lost", "lost, too", "written")) {
          writer.offer(line(text));
          writer.flush();
        }
        assertEquals(2, writer.dropped());
      }
      assertTrue(complaints.texts.get(0).contains("cannot be written"), complaints.texts::toString);
      assertEquals("the access log has dropped 2 lines", complaints.texts.get(1));
    }
    assertEquals("written\n", taken.toString());
  }

  // A disk so slow that the queue is never empty.
  @Test
  void dropsAreToldWhileTheyHappen() throws Exception {
    AtomicReference<LogWriter> writer = new AtomicReference<>();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch looked = new CountDownLatch(1);
    AtomicReference<List<String>> told = new AtomicReference<>();
    try (Complaints complaints = new Complaints()) {
      OutputStream disk =
          new LinesTogether() {
            private int calls;

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
              try {
                begun.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              calls++;
              if (calls < 20) {
                for (int i = 0; i < 1100; i++) {
                  writer.get().offer(line("x".repeat(1000)));
                }
              } else if (calls == 20) {
                told.set(List.copyOf(complaints.texts));
                looked.countDown();
              }
            }
          };
      writer.set(new LogWriter(new LogTarget.Stream(disk), 1000).start());
      writer.get().offer(line("first"));
      begun.countDown();
      looked.await();
      writer.get().close();
    }
    assertEquals(1, told.get().size());
    assertTrue(told.get().get(0).contains("has dropped"), told.get()::toString);
  }

  @Test
  void fileThatCannotBeOpenedAgainLosesJustWhatCameMeanwhile() throws Exception {
    Path file = folder.resolve("logs").resolve("access.log");
    Files.createDirectory(file.getParent());
    Path aside = folder.resolve("aside");
    try (Complaints complaints = new Complaints();
        LogWriter writer = new LogWriter(new LogTarget.File(file), 100).start()) {
      writer.offer(line("one"));
      writer.flush();
      Files.move(file.getParent(), aside);
      writer.reopen();
      for (int i = 0; i < 3; i++) {
        writer.offer(line("lost"));
        writer.flush();
      }
      assertEquals(3, writer.dropped());
      Files.createDirectory(file.getParent());
      writer.offer(line("two"));
      writer.flush();
      assertEquals(3, writer.dropped());
      assertTrue(complaints.texts.get(0).contains("cannot be opened"), complaints.texts::toString);
    }
    assertEquals("one\n", Files.readString(aside.resolve("access.log")));
    assertEquals("two\n", Files.readString(file));
  }

  // However the end and the last lines meet: each is written or counted.
  @Test
  void eachLineIsWrittenOrCountedWhileItCloses() throws Exception {
    int threads = 4;
    int each = 500;
    try (Complaints unread = new Complaints()) {
      for (int round = 0; round < 100; round++) {
        closeWhileOffering(threads, each);
      }
      assertTrue(unread.texts.stream().allMatch(text -> text.contains("has dropped")));
    }
  }

  private static void closeWhileOffering(int threads, int each) throws Exception {
    ByteArrayOutputStream taken = new ByteArrayOutputStream();
    LogWriter writer = new LogWriter(new LogTarget.Stream(taken), 50).start();
    List<Thread> offering = new ArrayList<>();
    CountDownLatch begun = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              () -> {
                begun.countDown();
                for (int n = 0; n < each; n++) {
                  writer.offer(line("x"));
                }
              });
      thread.start();
      offering.add(thread);
    }
    begun.await();
    long startNanos = System.nanoTime();
    writer.close();
    writer.flush();
    assertTrue(System.nanoTime() - startNanos < 4_000_000_000L, "waited for nobody");
    for (Thread thread : offering) {
      thread.join();
    }
    assertEquals((long) threads * each, taken.size() / 2 + writer.dropped());
  }
}
