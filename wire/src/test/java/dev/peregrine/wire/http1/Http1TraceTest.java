package dev.peregrine.wire.http1;

import dev.peregrine.wire.QuietLog;
import dev.peregrine.wire.TraceRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plays every trace of HTTP/1.1: whole, byte by byte, and cut at random. */
@ExtendWith(QuietLog.class)
class Http1TraceTest {

  @TestFactory
  Stream<DynamicTest> traces() throws IOException {
    return TraceRun.tests(Path.of("src/test/traces/http1"), Http1Subject::new);
  }
}
