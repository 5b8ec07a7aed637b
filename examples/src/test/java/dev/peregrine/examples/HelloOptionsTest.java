package dev.peregrine.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Execution;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HelloOptionsTest {

  private static HelloOptions parse(String line) {
    return HelloOptions.parse(line.isEmpty() ? List.of() : List.of(line.split(" ", -1)));
  }

  @Test
  void withoutFlagsTheServerChooses() {
    HelloOptions options = parse("");
    assertEquals(7000, options.port());
    assertNull(options.execution());
    assertEquals(0, options.loops());
    assertEquals(Duration.ZERO, options.spin());
  }

  @Test
  void everyFlagIsRead() {
    HelloOptions options = parse("--mode workers --workers 3 --loops 2 --port 0 --spin 50");
    assertEquals(Execution.Kind.WORKERS, options.execution().kind());
    assertEquals(3, options.execution().threads());
    assertEquals(2, options.loops());
    assertEquals(0, options.port());
    assertEquals(Duration.ofNanos(50_000), options.spin());
    assertEquals(Execution.Kind.INLINE, parse("--mode inline").execution().kind());
    assertEquals(Execution.Kind.EXECUTOR, parse("--mode executor").execution().kind());
    assertTrue(parse("--help").help());
  }

  @Test
  void workersAloneMeansTheModeWorkers() {
    assertEquals(Execution.Kind.WORKERS, parse("--workers 1").execution().kind());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--prot 1            | unknown flag --prot; try --help",
        "hello               | unknown flag hello; try --help",
        "--port              | --port needs a value; try --help",
        "--port x            | --port is a number from 0 to 65535, not \"x\"",
        "--port 65536        | --port is a number from 0 to 65535, not \"65536\"",
        "--workers 0         | --workers is a number from 1 to 10000, not \"0\"",
        "--loops -1          | --loops is a number from 1 to 10000, not \"-1\"",
        "--mode fast         | --mode is inline, workers, executor or virtual, not \"fast\"",
        "--mode inline --workers 2 | --workers means nothing with --mode inline",
      })
  void aMistakeIsOneSentence(String line, String sentence) {
    assertEquals(
        sentence, assertThrows(IllegalArgumentException.class, () -> parse(line)).getMessage());
  }
}
