package dev.peregrine.conformance;

import com.google.protobuf.ByteString;
import dev.peregrine.conformance.v1.BigRequest;
import dev.peregrine.conformance.v1.BigResponse;
import dev.peregrine.conformance.v1.EchoRequest;
import dev.peregrine.conformance.v1.EchoResponse;
import dev.peregrine.conformance.v1.FailRequest;
import dev.peregrine.conformance.v1.FailResponse;
import dev.peregrine.conformance.v1.MetadataRequest;
import dev.peregrine.conformance.v1.MetadataResponse;
import dev.peregrine.conformance.v1.ProbeService;
import dev.peregrine.conformance.v1.SleepRequest;
import dev.peregrine.conformance.v1.SleepResponse;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.Status;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Does what {@code probe.proto} promises, and counts the calls that reach it. Any thread. */
public final class Probe implements ProbeService {

  /** Payload bytes repeat after this many: a prime, so that shifted bytes are noticed. */
  static final int BIG_PERIOD = 251;

  private static final String TRAILING_PREFIX = "echo-trailing-";
  private static final String PREFIX = "echo-";
  private static final String BINARY_SUFFIX = "-bin";

  private final AtomicInteger calls = new AtomicInteger();

  /** How many calls have reached a handler so far. */
  public int calls() {
    return calls.get();
  }

  @Override
  public EchoResponse echo(EchoRequest request, Context context) {
    calls.incrementAndGet();
    return EchoResponse.newBuilder().setPayload(request.getPayload()).build();
  }

  @Override
  public FailResponse fail(FailRequest request, Context context) {
    calls.incrementAndGet();
    Status.Code code = Status.Code.of(request.getCode());
    if (code == Status.Code.OK) {
      return FailResponse.getDefaultInstance();
    }
    Status status = Status.of(code).withMessage(request.getText());
    throw (request.getWithDetail() ? status.withDetails(request) : status).exception();
  }

  @Override
  public MetadataResponse metadata(MetadataRequest request, Context context) {
    calls.incrementAndGet();
    int[] copied = {0};
    context
        .metadata()
        .forEach(
            (name, value) -> {
              if (name.startsWith(PREFIX)) {
                boolean trailing = name.startsWith(TRAILING_PREFIX);
                copy(
                    context.metadata(),
                    name,
                    value,
                    trailing ? context.responseTrailers() : context.responseHeaders());
                copied[0]++;
              }
            });
    return MetadataResponse.newBuilder().setCopied(copied[0]).build();
  }

  private static void copy(Metadata from, String name, String value, Metadata to) {
    if (!name.endsWith(BINARY_SUFFIX)) {
      to.add(name, value);
    } else if (to.get(name) == null) {
      // All values at once: one field may hold several, joined by commas.
      from.getAllBinary(name).forEach(bytes -> to.addBinary(name, bytes));
    }
  }

  @Override
  public SleepResponse sleep(SleepRequest request, Context context) {
    calls.incrementAndGet();
    CountDownLatch cancelled = new CountDownLatch(1);
    context.onCancel(cancelled::countDown);
    boolean early;
    try {
      early = cancelled.await(request.getMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      early = true;
    }
    return SleepResponse.newBuilder().setCancelled(early).build();
  }

  @Override
  public BigResponse big(BigRequest request, Context context) {
    calls.incrementAndGet();
    byte[] payload = new byte[request.getPayloadBytes()];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) (i % BIG_PERIOD);
    }
    return BigResponse.newBuilder().setPayload(ByteString.copyFrom(payload)).build();
  }
}
