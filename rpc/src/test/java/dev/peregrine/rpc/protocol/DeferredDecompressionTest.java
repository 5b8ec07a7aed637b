package dev.peregrine.rpc.protocol;

import static dev.peregrine.rpc.protocol.Answers.fails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Compressor;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.MalformedMessageException;
import dev.peregrine.rpc.ServiceDefinition;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A large compressed request does not hold up the loop: it is inflated where it is handled. */
class DeferredDecompressionTest {

  private static final int MAX_REQUEST_BYTES = 20_000;
  private static final String LARGE = incompressible(10_000);

  private final HeldTasks worker = new HeldTasks();
  private final FakeLoop loop = new FakeLoop();
  private int inflated;

  /** Gzip that counts. */
  private final Compressor gzip =
      new Compressor() {
        @Override
        public String wireName() {
          return "gzip";
        }

        @Override
        public byte[] compress(byte[] source, int offset, int length) {
          return Compressor.gzip().compress(source, offset, length);
        }

        @Override
        public byte[] decompress(byte[] source, int offset, int length, int maxBytes)
            throws MalformedMessageException {
          inflated++;
          return Compressor.gzip().decompress(source, offset, length, maxBytes);
        }
      };

  private static String incompressible(int length) {
    StringBuilder text = new StringBuilder(length);
    Random random = new Random(1);
    for (int i = 0; i < length; i++) {
      text.append((char) (' ' + random.nextInt(90)));
    }
    return text.toString();
  }

  private Exchange begin(Execution execution) {
    CallSettings defaults = CallSettings.defaults();
    Routes routes =
        new Routes(
            new CallSettings(
                Limits.DEFAULTS.withMaxRequestBytes(MAX_REQUEST_BYTES),
                List.of(),
                List.of(),
                List.of(gzip),
                defaults.codecs(),
                defaults.cors()),
            1);
    routes.add(
        () ->
            ServiceDefinition.of("test.Echo")
                .unary(
                    Calls.CALL,
                    (request, context) ->
                        StringValue.of(request.getValue().length() + " characters")),
        execution);
    return new Exchange(
        loop,
        new Router(routes, loop, null),
        new FakeHttpStream(new FakeTransport()),
        RequestParts.headers("grpc-encoding", "gzip"),
        false);
  }

  private byte[] compressed(String text) {
    byte[] plain = StringValue.of(text).toByteArray();
    return RequestParts.message(1, gzip.compress(plain, 0, plain.length));
  }

  private void answer() {
    worker.run();
    loop.runOutbox();
  }

  @Test
  void largeOneIsInflatedByItsHandlerThread() {
    Exchange call = begin(Execution.on(worker)).data(compressed(LARGE), true);
    assertEquals(0, inflated);
    answer();
    assertEquals(1, inflated);
    String lines = call.lines().toString();
    assertTrue(lines.contains("10000 characters"), lines);
  }

  // What is small on the wire may be a thousand times as large.
  @Test
  void smallOneIsInflatedThereAsWell() {
    Exchange call = begin(Execution.on(worker)).data(compressed("you"), true);
    assertEquals(0, inflated);
    answer();
    assertEquals(1, inflated);
    String lines = call.lines().toString();
    assertTrue(lines.contains("3 characters"), lines);
  }

  @Test
  void inlineOneIsInflatedAtOnce() {
    Exchange unused = begin(Execution.inline()).data(compressed(LARGE), true);
    assertEquals(1, inflated);
  }

  @Test
  void largeOneThatIsBroken() {
    byte[] message = compressed(LARGE);
    Arrays.fill(message, 100, 3_000, (byte) 0xff);
    Exchange call = begin(Execution.on(worker)).data(message, true);
    answer();
    assertEquals(List.of(fails(13, "a message does not decompress as gzip")), call.lines());
  }

  @Test
  void largeOneThatBecomesTooLarge() {
    String text = LARGE + " ".repeat(MAX_REQUEST_BYTES);
    Exchange call = begin(Execution.on(worker)).data(compressed(text), true);
    answer();
    String lines = call.lines().toString();
    assertTrue(lines.contains("grpc-status=8"), lines);
    assertEquals(List.of(Limit.REQUEST_BYTES), loop.limits());
  }

  @Test
  void twoOfThem() {
    byte[] message = compressed(LARGE);
    Exchange call = begin(Execution.on(worker)).data(RequestParts.concat(message, message), true);
    answer();
    assertEquals(List.of(fails(12, "more than one request message")), call.lines());
    assertEquals(0, inflated);
  }
}
