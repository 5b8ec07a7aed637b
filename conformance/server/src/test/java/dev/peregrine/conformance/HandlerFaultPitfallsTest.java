package dev.peregrine.conformance;

import static dev.peregrine.conformance.RawClient.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.peregrine.conformance.v1.Item;
import dev.peregrine.rpc.CallEnd;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Interceptor;
import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.RpcException;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.ErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pitfall P108: what a handler throws becomes one status and one line in the log, and who observes
 * calls hears of every end once.
 */
class HandlerFaultPitfallsTest {

  private static final int UNKNOWN = 2;
  private static final int ALREADY_EXISTS = 6;
  private static final int WAIT_SECONDS = 20;

  static List<Throwable> faults() {
    return List.of(
        new IllegalStateException("secret"),
        new Exception("secret"),
        new StackOverflowError("secret"),
        new AssertionError("secret"),
        new NoClassDefFoundError("secret"));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void anyFaultIsUnknownAndLoggedOnceWithItsMethodAndCause(Throwable fault) throws Exception {
    expectFault(OneMethod.unary((item, context) -> doThrow(fault)), fault, "HEADERS+ES");
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aFaultAfterAMessageEndsTheStreamProperly(Throwable fault) throws Exception {
    OneMethod service =
        OneMethod.serverStreaming(
            (item, responses, context) -> {
              responses.send(item);
              doThrow(fault);
            });
    expectFault(service, fault, "HEADERS DATA HEADERS+ES");
  }

  @ParameterizedTest
  @MethodSource("faults")
  void aFaultOfAListenerIsTheSame(Throwable fault) throws Exception {
    expectFault(OneMethod.eventDriven(call -> message -> doThrow(fault)), fault, "HEADERS+ES");
    expectFault(OneMethod.eventDriven(call -> listener(fault)), fault, "HEADERS+ES");
  }

  private static CallListener<Item> listener(Throwable fault) throws Exception {
    doThrow(fault);
    return message -> {};
  }

  private static void expectFault(OneMethod service, Throwable fault, String frames)
      throws IOException {
    try (ServerLog log = new ServerLog();
        ProbeServer server = ProbeServer.with(builder -> builder.add(service));
        RawClient client = server.connect()) {
      Reply reply = client.call(FieldBlock.call(OneMethod.PATH), message(item()));
      assertTrue(reply.frames().startsWith(frames), reply::toString);
      assertEquals(UNKNOWN, reply.status());
      assertNull(reply.field("grpc-message"), "the text is for the log alone");
      client.expectSecondCall();
      List<LogRecord> entries = log.records();
      assertEquals(1, entries.size(), () -> log.texts().toString());
      assertTrue(entries.get(0).getMessage().contains(OneMethod.PATH.substring(1)));
      assertSame(fault, entries.get(0).getThrown());
    }
  }

  @Test
  void anRpcExceptionIsItsStatusWithTrailersAndNoNoise() throws IOException {
    Metadata trailers = new Metadata().add("x-hint", "there it is");
    OneMethod service =
        OneMethod.unary(
            (item, context) -> {
              throw new RpcException(Status.ALREADY_EXISTS.withMessage("seen before"), trailers);
            });
    try (ServerLog log = new ServerLog();
        ProbeServer server = ProbeServer.with(builder -> builder.add(service));
        RawClient client = server.connect()) {
      Reply reply = client.call(FieldBlock.call(OneMethod.PATH), message(item()));
      assertEquals(ALREADY_EXISTS, reply.status(), reply::toString);
      assertEquals("there it is", reply.field("x-hint"));
      client.expectSecondCall();
      assertTrue(log.texts().isEmpty(), () -> log.texts().toString());
    }
  }

  // A second end is no fault of the peer, and no reason to shout: the first one counts.
  @Test
  void aSecondEndChangesNothing() throws IOException {
    OneMethod service =
        OneMethod.eventDriven(
            call ->
                message -> {
                  call.send(message);
                  call.close(Status.OK);
                  call.close(Status.ABORTED);
                });
    try (ProbeServer server = ProbeServer.with(builder -> builder.add(service));
        RawClient client = server.connect()) {
      Reply reply = client.call(FieldBlock.call(OneMethod.PATH), message(item()));
      assertTrue(reply.frames().startsWith("HEADERS DATA HEADERS+ES"), reply::toString);
      assertEquals(0, reply.status(), reply::toString);
      client.expectSecondCall();
    }
  }

  // Every path a call can end by, each observed once, by interceptors of the server and of the
  // service: they are observers, too.
  @Test
  void everyEndIsObservedOnce() throws Exception {
    Ends ends = new Ends();
    try (ProbeServer server =
            ProbeServer.with(
                builder -> builder.intercept(ends).add(OneMethod.unary((i, c) -> act(i, c))));
        RawClient client = server.connect()) {
      for (String act : List.of("answer", "fail", "throw")) {
        client.call(FieldBlock.call(OneMethod.PATH), message(item(act)));
      }
      FieldBlock fields = FieldBlock.call(OneMethod.PATH).with("grpc-timeout", "50m");
      client.call(fields, message(item("wait")));
      client.call(FieldBlock.call(OneMethod.PATH).with("grpc-timeout", "0S"), message(item()));
      client.call(FieldBlock.call("/no.Such/Method"), message(item()));
      client.call(FieldBlock.call(OneMethod.PATH).set("content-type", "text/x"), message(item()));
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(OneMethod.PATH), false);
      client.data(stream, message(item("wait")), true).send();
      client.sync();
      client.reset(stream, ErrorCode.CANCEL.code()).send();
      client.sync();
      List<String> expected =
          List.of(
              "OK",
              "ALREADY_EXISTS",
              "UNKNOWN",
              "DEADLINE_EXCEEDED",
              "DEADLINE_EXCEEDED",
              "UNIMPLEMENTED",
              "INTERNAL",
              "CANCELLED");
      List<String> seen = new ArrayList<>();
      for (int i = 0; i < expected.size(); i++) {
        seen.add(ends.codes.poll(WAIT_SECONDS, TimeUnit.SECONDS));
      }
      assertEquals(expected, seen);
      client.expectSecondCall();
      assertEquals("OK", ends.codes.poll(WAIT_SECONDS, TimeUnit.SECONDS));
      assertTrue(ends.codes.isEmpty(), ends.codes::toString);
    }
  }

  private static final class Ends implements Interceptor {
    private final BlockingQueue<String> codes = new LinkedBlockingQueue<>();

    @Override
    public void callEnded(CallEnd end) {
      codes.add(end.status().code().toString());
    }
  }

  private static Item act(Item item, Context context) throws Exception {
    switch (item.getPayload().toStringUtf8()) {
      case "fail" -> throw Status.ALREADY_EXISTS.exception();
      case "throw" -> throw new IllegalStateException("thrown by " + context.method());
      case "wait" -> new CountDownLatch(1).await();
      default -> {
        return item;
      }
    }
    return item;
  }

  private static Item item() {
    return item("answer");
  }

  private static Item item(String act) {
    return Item.newBuilder().setPayload(ByteString.copyFromUtf8(act)).build();
  }

  private static Item doThrow(Throwable fault) throws Exception {
    if (fault instanceof Error error) {
      throw error;
    }
    throw (Exception) fault;
  }
}
