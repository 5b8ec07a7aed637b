package dev.peregrine.bench.engine;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.protocol.Deadlines;
import dev.peregrine.rpc.protocol.Loop;
import dev.peregrine.rpc.protocol.Outbox;
import dev.peregrine.rpc.protocol.Router;
import dev.peregrine.rpc.protocol.Routes;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.Output;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.hpack.HpackEncoder;
import dev.peregrine.wire.http2.Http2Connection;
import dev.peregrine.wire.http2.Http2Limits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One unary gRPC call, handler on the loop, from the bytes a socket would give to the bytes it
 * would take: frames, HPACK, routing, messages both ways. What h2load sends in its steady state: a
 * header block of indexed fields, one DATA frame.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class UnaryCallBenchmark {

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** What the steady reply of the example takes: 11 + 40 + 10 bytes. */
  private static final int REPLY_BYTES = 61;

  /** A peer that has all it wants of a window to send into, again after so many calls. */
  private static final int CALLS_PER_WINDOW_UPDATE = 1000;

  private static final String NAME = "helloworld.v1.Greeter/Hello";

  private static final Method<StringValue, StringValue> PROTOBUF =
      Method.unary(NAME, StringValue.getDefaultInstance(), StringValue.getDefaultInstance());

  private static final Method<byte[], byte[]> BYTES =
      Method.of(NAME, Method.Kind.UNARY, new BytesCodec(), new BytesCodec());

  private static final byte[] REPLY = greet(StringValue.of("grpc-client")).toByteArray();

  /** What the handler sees: the bytes themselves (the engine alone), or what protobuf makes. */
  @Param({"bytes", "protobuf"})
  public String messages;

  private final NullTransport transport = new NullTransport();
  private Http2Connection connection;
  private byte[] request;
  private int idOffset;
  private byte[] windowUpdate;
  private int streamId;
  private int calls;
  private long nowNanos;

  /** Opens a connection and makes the first calls, which fill the tables. */
  @Setup
  public void open() {
    Routes routes = new Routes(Limits.DEFAULTS, 1);
    routes.add(greeter(), Execution.inline());
    nowNanos = System.nanoTime();
    Router router = new Router(routes, new BenchLoop(), null);
    connection = new Http2Connection(transport, router, Http2Limits.STANDARD, nowNanos);
    windowUpdate = frame(8, 0, 0, new byte[] {0, 1, 0, 0});
    Output block = new Output();
    HpackEncoder encoder = new HpackEncoder();
    receive(join(PREFACE, frame(4, 0, 0, new byte[0]), frame(4, 1, 0, new byte[0])));
    ResponseHead head = ResponseHead.trailers(requestFields());
    // The first block teaches the table, the second is what is sent from then on.
    encoder.encode(head, null, block);
    call(Arrays.copyOf(block.array(), block.size()));
    block.clear();
    encoder.encode(head, null, block);
    call(Arrays.copyOf(block.array(), block.size()));
    transport.flush();
    unary();
    if (lastReplyBytes != REPLY_BYTES) {
      throw new IllegalStateException("the reply takes " + lastReplyBytes + " bytes");
    }
  }

  private int lastReplyBytes;

  private static Headers requestFields() {
    return new Headers()
        .add(HeaderName.METHOD, "POST")
        .add(HeaderName.SCHEME, "http")
        .add(HeaderName.PATH, "/helloworld.v1.Greeter/Hello")
        .add(HeaderName.AUTHORITY, "localhost:7000")
        .add(HeaderName.USER_AGENT, "h2load nghttp2/1.52.0")
        .add(HeaderName.CONTENT_TYPE, "application/grpc")
        .add(HeaderName.CONTENT_LENGTH, "18");
  }

  private Service greeter() {
    ServiceDefinition definition = ServiceDefinition.of("helloworld.v1.Greeter");
    return () ->
        messages.equals("protobuf")
            ? definition.unary(PROTOBUF, (name, context) -> greet(name))
            : definition.unary(BYTES, (name, context) -> REPLY);
  }

  private static StringValue greet(StringValue name) {
    return StringValue.of("Hello `" + name.getValue() + "` \uD83D\uDC4B");
  }

  private void call(byte[] block) {
    byte[] message = StringValue.of("grpc-client").toByteArray();
    byte[] envelope = new byte[5 + message.length];
    envelope[4] = (byte) message.length;
    System.arraycopy(message, 0, envelope, 5, message.length);
    byte[] headers = frame(1, 4, 0, block);
    request = join(headers, frame(0, 1, 0, envelope));
    idOffset = headers.length;
    unary();
  }

  private static byte[] frame(int type, int flags, int streamId, byte[] payload) {
    byte[] frame = new byte[9 + payload.length];
    frame[1] = (byte) (payload.length >>> 8);
    frame[2] = (byte) payload.length;
    frame[3] = (byte) type;
    frame[4] = (byte) flags;
    frame[8] = (byte) streamId;
    System.arraycopy(payload, 0, frame, 9, payload.length);
    return frame;
  }

  private static byte[] join(byte[]... parts) {
    Output all = new Output();
    for (byte[] part : parts) {
      all.write(part, 0, part.length);
    }
    return Arrays.copyOf(all.array(), all.size());
  }

  private void receive(byte[] bytes) {
    connection.receive(bytes, 0, bytes.length, nowNanos);
  }

  /** One call. */
  @Benchmark
  public int unary() {
    streamId = streamId == 0 ? 1 : streamId + 2;
    if (streamId > 0x7fff_0000) {
      throw new IllegalStateException("out of stream identifiers");
    }
    if (++calls % CALLS_PER_WINDOW_UPDATE == 0) {
      receive(windowUpdate);
      transport.flush();
    }
    putId(5);
    putId(idOffset + 5);
    receive(request);
    lastReplyBytes = transport.output().size();
    transport.flush();
    return lastReplyBytes;
  }

  private void putId(int at) {
    request[at] = (byte) (streamId >>> 24);
    request[at + 1] = (byte) (streamId >>> 16);
    request[at + 2] = (byte) (streamId >>> 8);
    request[at + 3] = (byte) streamId;
  }

  /** A loop that only tells the time. */
  private static final class BenchLoop implements Loop {
    private final Outbox outbox = new Outbox(() -> {});
    private final Deadlines deadlines = new Deadlines(System.nanoTime());

    @Override
    public long nowNanos() {
      return 0;
    }

    @Override
    public Outbox outbox() {
      return outbox;
    }

    @Override
    public Deadlines deadlines() {
      return deadlines;
    }

    @Override
    public boolean inLoop() {
      return true;
    }
  }
}
