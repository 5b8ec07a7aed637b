package dev.peregrine.conformance;

import static dev.peregrine.conformance.RawClient.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.conformance.v1.Item;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Status;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pitfalls D: deadlines. */
class DeadlinePitfallsTest {

  private static final int DEADLINE_EXCEEDED = 4;
  private static final int INTERNAL = 13;
  private static final int WAIT_SECONDS = 20;

  // P39, P40, P42, P43: the handler is interrupted, its hook runs, the client reads the status in
  // trailers, and the thread is free for the next call.
  @Test
  void aDeadlineEndsACallThatNobodyCancels() throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    OneMethod service =
        OneMethod.unary(
            (item, context) -> {
              context.onCancel(() -> events.add("hook"));
              assertTrue(context.remainingNanos() <= TimeUnit.MILLISECONDS.toNanos(300));
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                events.add("interrupted " + context.isCancelled());
                throw e;
              }
              return item;
            });
    try (ProbeServer server =
            ProbeServer.with(builder -> builder.execution(Execution.workers(1)).add(service));
        RawClient client = server.connect()) {
      Reply reply =
          client.call(
              FieldBlock.call(OneMethod.PATH).with("grpc-timeout", "300m"), message(item()));
      assertEquals("HEADERS+ES", reply.frames(), reply::toString);
      assertEquals(DEADLINE_EXCEEDED, reply.status());
      assertEquals("hook", events.poll(WAIT_SECONDS, TimeUnit.SECONDS));
      assertEquals("interrupted true", events.poll(WAIT_SECONDS, TimeUnit.SECONDS));
      client.expectSecondCall(); // by the one thread there is
    }
  }

  // P42: in the middle of a response, too, the end is a status and not a reset.
  @Test
  void aDeadlineInTheMiddleOfAResponseIsAStatus() throws Exception {
    OneMethod service =
        OneMethod.serverStreaming(
            (item, responses, context) -> {
              responses.send(item);
              new CountDownLatch(1).await();
            });
    try (ProbeServer server = ProbeServer.with(builder -> builder.add(service));
        RawClient client = server.connect()) {
      Reply reply =
          client.call(
              FieldBlock.call(OneMethod.PATH).with("grpc-timeout", "300m"), message(item()));
      assertTrue(reply.frames().startsWith("HEADERS DATA HEADERS+ES"), reply::toString);
      assertEquals(DEADLINE_EXCEEDED, reply.status());
      client.expectSecondCall();
    }
  }

  // P42: an event-driven handler is told.
  @Test
  void aListenerIsToldOfTheDeadline() throws Exception {
    BlockingQueue<Status> told = new LinkedBlockingQueue<>();
    try (ProbeServer server =
            ProbeServer.with(builder -> builder.add(OneMethod.eventDriven(call -> idle(told))));
        RawClient client = server.connect()) {
      int stream = client.newStream();
      FieldBlock fields = FieldBlock.call(OneMethod.PATH).with("grpc-timeout", "100m");
      client.headers(stream, fields, false).send();
      Reply reply = client.reply(stream);
      assertEquals(DEADLINE_EXCEEDED, reply.status(), reply::toString);
      Status status = told.poll(WAIT_SECONDS, TimeUnit.SECONDS);
      assertEquals(Status.Code.DEADLINE_EXCEEDED, status.code());
      client.expectSecondCall();
    }
  }

  private static CallListener<Item> idle(BlockingQueue<Status> told) {
    return new CallListener<>() {
      @Override
      public void onMessage(Item message) {}

      @Override
      public void onCancel(Status status) {
        told.add(status);
      }
    };
  }

  // P41: digits and units at their edges.
  @ParameterizedTest
  @ValueSource(strings = {"1S", "20000m", "99999999u", "99999999H", "99999999M", "00000009S"})
  void aTimeoutWithinTheGrammarIsTaken(String timeout) throws IOException {
    AtomicInteger runs = new AtomicInteger();
    Reply reply = callWithTimeout(timeout, runs);
    assertEquals(0, reply.status(), reply::toString);
    assertEquals(1, runs.get());
  }

  // P41: over before it began: no handler runs.
  @ParameterizedTest
  @ValueSource(strings = {"0S", "0n", "00000000H"})
  void aTimeoutOfNothingHasPassed(String timeout) throws IOException {
    AtomicInteger runs = new AtomicInteger();
    Reply reply = callWithTimeout(timeout, runs);
    assertTrue(reply.frames().startsWith("HEADERS+ES"), reply::toString);
    assertEquals(DEADLINE_EXCEEDED, reply.status());
    assertEquals(0, runs.get());
  }

  // P41: a nanosecond is proper; whether the handler wins is luck, but there is an answer.
  @ParameterizedTest
  @ValueSource(strings = {"1n", "1u"})
  void aTinyTimeoutIsAnswered(String timeout) throws IOException {
    int status = callWithTimeout(timeout, new AtomicInteger()).status();
    assertTrue(status == 0 || status == DEADLINE_EXCEEDED, "status " + status);
  }

  // P41: everything else is malformed, and said so.
  @ParameterizedTest
  @ValueSource(strings = {"123456789S", "-1S", "1", "S", "1s", "1.5S", "", "1 S", "+1S", "1SS"})
  void aMalformedTimeoutIsAnErrorOfTheCall(String timeout) throws IOException {
    AtomicInteger runs = new AtomicInteger();
    Reply reply = callWithTimeout(timeout, runs);
    assertEquals(INTERNAL, reply.status(), reply::toString);
    assertTrue(reply.field("grpc-message").contains("grpc-timeout"), reply::toString);
    assertEquals(0, runs.get());
  }

  private static Reply callWithTimeout(String timeout, AtomicInteger runs) throws IOException {
    OneMethod service =
        OneMethod.unary(
            (item, context) -> {
              runs.incrementAndGet();
              return item;
            });
    try (ProbeServer server = ProbeServer.with(builder -> builder.add(service));
        RawClient client = server.connect()) {
      Reply reply =
          client.call(
              FieldBlock.call(OneMethod.PATH).with("grpc-timeout", timeout), message(item()));
      client.expectSecondCall();
      return reply;
    }
  }

  // P39: what is left is the handler's to pass on.
  @Test
  void theTimeLeftIsKnownToTheHandler() throws IOException {
    BlockingQueue<Long> left = new LinkedBlockingQueue<>();
    OneMethod service =
        OneMethod.unary(
            (item, context) -> {
              left.add(context.remainingNanos());
              return item;
            });
    try (ProbeServer server = ProbeServer.with(builder -> builder.add(service));
        RawClient client = server.connect()) {
      client.call(FieldBlock.call(OneMethod.PATH), message(item()));
      client.call(FieldBlock.call(OneMethod.PATH).with("grpc-timeout", "1H"), message(item()));
    }
    assertEquals(Context.NO_DEADLINE, left.remove());
    long nanos = left.remove();
    assertTrue(nanos > TimeUnit.MINUTES.toNanos(59) && nanos <= TimeUnit.HOURS.toNanos(1));
  }

  private static Item item() {
    return Item.newBuilder().setNumber(1).build();
  }
}
