package dev.peregrine.rpc.protocol;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Codec;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.wire.ErrorCode;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.StreamListener;
import org.junit.jupiter.api.Test;

/** What the call layer allocates for a unary call on the loop, beside the messages themselves. */
class InlineCallAllocationTest {

  /**
   * One object, the call: 112 bytes measured on JDK 17. The bound leaves room for a few fields, not
   * for another object per call that is worth a thought.
   */
  private static final int MAX_BYTES_PER_CALL = 160;

  private static final int CALLS = 20_000;

  /** Messages that allocate nothing: there is one only. */
  private static final class Nothing implements Codec<String> {
    @Override
    public String name() {
      return "proto";
    }

    @Override
    public int size(String message) {
      return 3;
    }

    @Override
    public void encode(String message, byte[] target, int offset) {
      target[offset] = 1;
      target[offset + 1] = 2;
      target[offset + 2] = 3;
    }

    @Override
    public String decode(byte[] source, int offset, int length) {
      return "";
    }
  }

  /** An engine that throws everything away. */
  private static final class Sink implements HttpStream {
    private final FakeTransport transport = new FakeTransport();

    @Override
    public void head(ResponseHead head, Headers extra, boolean end) {}

    @Override
    public int claim(int length) {
      transport.output().clear();
      return transport.output().claim(length);
    }

    @Override
    public void data(byte[] bytes, int offset, int length, boolean end) {}

    @Override
    public void trailers(ResponseHead trailers, Headers extra) {}

    @Override
    public void reset(ErrorCode code) {}

    @Override
    public void credit(int bytes) {}

    @Override
    public int queuedBytes() {
      return 0;
    }

    @Override
    public int peerMaxHeaderListBytes() {
      return Integer.MAX_VALUE;
    }

    @Override
    public FakeTransport transport() {
      return transport;
    }
  }

  @Test
  void callIsOneObject() {
    Nothing codec = new Nothing();
    Method<String, String> method = Method.of("test.Echo/Call", Method.Kind.UNARY, codec, codec);
    Routes routes = new Routes(Limits.DEFAULTS, 1);
    routes.add(
        () -> ServiceDefinition.of("test.Echo").unary(method, (request, context) -> request),
        Execution.inline());
    Router router = new Router(routes, new FakeLoop(), null);
    Sink stream = new Sink();
    Headers headers = RequestParts.headers();
    byte[] content = RequestParts.prefix(0, 0);
    run(router, stream, headers, content);
    long before = Allocation.bytes();
    run(router, stream, headers, content);
    long perCall = (Allocation.bytes() - before) / CALLS;
    assertTrue(perCall <= MAX_BYTES_PER_CALL, perCall + " bytes per call");
    assertTrue(perCall >= 16, "nothing was measured");
  }

  private static void run(Router router, Sink stream, Headers headers, byte[] content) {
    for (int i = 0; i < CALLS; i++) {
      StreamListener call = router.onRequest(stream, headers, false);
      call.onData(content, 0, content.length, true);
    }
  }
}
