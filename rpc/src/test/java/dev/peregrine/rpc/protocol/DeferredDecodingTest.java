package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.Answers.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A large request does not hold up the loop: it is decoded where it is handled. */
class DeferredDecodingTest {

  private static final String LARGE = "l".repeat(16 * 1024);

  private final HeldTasks worker = new HeldTasks();
  private final CountingCodec codec = new CountingCodec();
  private final Method<String, String> method =
      Method.of("test.Echo/Call", Method.Kind.UNARY, codec, codec);

  private Calls calls(Execution execution) {
    return new Calls(
        execution, Limits.DEFAULTS, method, (request, context) -> request.length() + " bytes");
  }

  private static byte[] message(String text) {
    return RequestParts.message(0, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void largeOneIsDecodedByItsHandlerThread() {
    Calls calls = calls(Execution.on(worker));
    Exchange call = calls.call(RequestParts.headers(), message(LARGE));
    assertEquals(0, codec.decoded());
    worker.run();
    calls.loop().runOutbox();
    assertEquals(1, codec.decoded());
    String lines = call.lines().toString();
    assertTrue(lines.contains("16384 bytes"), lines);
    assertEquals(0, calls.openCalls());
  }

  @Test
  void smallOneIsDecodedAtOnce() {
    Exchange unused = calls(Execution.on(worker)).call(RequestParts.headers(), message("you"));
    assertEquals(1, codec.decoded());
  }

  @Test
  void inlineOneIsDecodedAtOnce() {
    Exchange unused = calls(Execution.inline()).call(RequestParts.headers(), message(LARGE));
    assertEquals(1, codec.decoded());
  }

  @Test
  void twoOfThem() {
    byte[] message = message(LARGE);
    Calls calls = calls(Execution.on(worker));
    Exchange call = calls.call(RequestParts.headers(), RequestParts.concat(message, message));
    worker.run();
    calls.loop().runOutbox();
    assertEquals(List.of(fails(12, "more than one request message")), call.lines());
    assertEquals(0, codec.decoded());
  }

  @Test
  void brokenOneFailsAsIfItWereSmall() {
    Calls calls = Calls.on(worker, Calls.hello());
    byte[] broken = new byte[LARGE.length()];
    Exchange call = calls.call(RequestParts.headers(), RequestParts.message(0, broken));
    worker.run();
    calls.loop().runOutbox();
    Exchange small = calls.call(RequestParts.headers(), RequestParts.message(0, new byte[10]));
    calls.loop().runOutbox();
    assertEquals(small.lines(), call.lines());
  }
}
