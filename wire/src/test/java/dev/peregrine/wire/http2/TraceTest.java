package dev.peregrine.wire.http2;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plays every trace: whole, byte by byte, and cut at random. */
@ExtendWith(QuietLog.class)
class TraceTest {

  private static final Path TRACES = Path.of("src/test/traces");
  private static final int RANDOM_RUNS = 5;

  @TestFactory
  Stream<DynamicTest> traces() throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.list(TRACES)) {
      files = found.filter(file -> file.toString().endsWith(".trace")).sorted().toList();
    }
    assertFalse(files.isEmpty());
    return files.stream()
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> play(file)));
  }

  private static void play(Path file) throws IOException {
    List<Trace> traces = Trace.read(file);
    assertFalse(traces.isEmpty());
    for (Trace trace : traces) {
      new TraceRun(trace, TraceRun.Cut.WHOLE, 0).run();
      new TraceRun(trace, TraceRun.Cut.BYTES, 0).run();
      for (int seed = 1; seed <= RANDOM_RUNS; seed++) {
        new TraceRun(trace, TraceRun.Cut.RANDOM, seed).run();
      }
    }
  }
}
