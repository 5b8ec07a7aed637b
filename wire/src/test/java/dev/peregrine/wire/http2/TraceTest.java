package dev.peregrine.wire.http2;

import dev.peregrine.wire.QuietLog;
import dev.peregrine.wire.TraceRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plays every trace of HTTP/2: whole, byte by byte, and cut at random. */
@ExtendWith(QuietLog.class)
class TraceTest {

  @TestFactory
  Stream<DynamicTest> traces() throws IOException {
    return TraceRun.tests(Path.of("src/test/traces"), Http2Subject::new);
  }
}
