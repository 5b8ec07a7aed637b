package dev.peregrine.conformance;

import static dev.peregrine.conformance.RawClient.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.conformance.v1.Item;
import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.ErrorCode;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pitfalls D and E: clients that go away, and responses that end before their request. */
class CancellationPitfallsTest {

  private static final int ABORTED = 10;
  private static final int WAIT_SECONDS = 20;

  /** How a client goes away. */
  enum Departure {
    RESET,
    RESET_BY_ANOTHER_CODE,
    CLOSED_SOCKET;

    void of(RawClient client, int stream) throws IOException {
      switch (this) {
        case RESET -> client.reset(stream, ErrorCode.CANCEL.code()).send();
        case RESET_BY_ANOTHER_CODE -> client.reset(stream, ErrorCode.NO_ERROR.code()).send();
        case CLOSED_SOCKET -> client.close();
      }
    }
  }

  // P48: the handler that waits is interrupted, and can ask; P45: its hook runs at once.
  @ParameterizedTest
  @EnumSource
  void aWaitingHandlerLearnsThatItsClientIsGone(Departure departure) throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    OneMethod service =
        OneMethod.unary(
            (item, context) -> {
              context.onCancel(() -> events.add("hook"));
              events.add("runs");
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                events.add("interrupted " + context.isCancelled());
              }
              return item;
            });
    try (ProbeServer server =
            ProbeServer.with(b -> b.execution(Execution.workers(1)).add(service));
        RawClient other = server.connect();
        RawClient client = server.connect()) {
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(OneMethod.PATH), false);
      client.data(stream, message(item()), true).send();
      assertEquals("runs", events.poll(WAIT_SECONDS, TimeUnit.SECONDS));
      departure.of(client, stream);
      assertEquals("hook", events.poll(WAIT_SECONDS, TimeUnit.SECONDS));
      assertEquals("interrupted true", events.poll(WAIT_SECONDS, TimeUnit.SECONDS));
      other.expectSecondCall(); // the one thread is free again
    }
  }

  // P45: a producer without end learns it at its next send.
  @ParameterizedTest
  @EnumSource
  void aProducerStopsAtItsNextSend(Departure departure) throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    OneMethod service =
        OneMethod.serverStreaming(
            (item, responses, context) -> {
              try {
                while (true) {
                  responses.send(item);
                }
              } finally {
                events.add("stopped " + context.isCancelled());
              }
            });
    try (ProbeServer server =
            ProbeServer.with(
                b -> b.execution(Execution.workers(1).withoutInterrupts()).add(service));
        RawClient other = server.connect();
        RawClient client = server.connect()) {
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(OneMethod.PATH), false);
      client.data(stream, message(item()), true).send();
      for (int i = 0; i < 10; i++) {
        client.read();
      }
      departure.of(client, stream);
      assertEquals("stopped true", events.poll(WAIT_SECONDS, TimeUnit.SECONDS));
      other.expectSecondCall();
    }
  }

  // P45, event-driven: told once, and what it sends afterwards goes nowhere.
  @ParameterizedTest
  @EnumSource
  void aListenerIsToldOnceAndMaySendOn(Departure departure) throws Exception {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    OneMethod service = OneMethod.eventDriven(call -> new Stubborn(call, events));
    try (ProbeServer server = ProbeServer.with(b -> b.execution(Execution.inline()).add(service));
        RawClient other = server.connect();
        RawClient client = server.connect()) {
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(OneMethod.PATH), false);
      client.data(stream, message(item()), false).send();
      assertEquals("message", events.poll(WAIT_SECONDS, TimeUnit.SECONDS));
      departure.of(client, stream);
      assertEquals("cancelled CANCELLED", events.poll(WAIT_SECONDS, TimeUnit.SECONDS));
      other.expectSecondCall();
      if (departure != Departure.CLOSED_SOCKET) {
        client.expectSecondCall();
        assertEquals("HEADERS DATA", client.replySoFar(stream).frames());
      }
      assertTrue(events.isEmpty(), events::toString);
    }
  }

  /** Answers after its call has ended, too. */
  private record Stubborn(Call<Item> call, BlockingQueue<String> events)
      implements CallListener<Item> {
    @Override
    public void onMessage(Item message) {
      call.send(message);
      events.add("message");
    }

    @Override
    public void onCancel(Status status) {
      events.add("cancelled " + status.code());
      call.send(item());
      call.close(Status.OK);
    }
  }

  // P47: clients that reset what has ended are no fault, and cost nothing: a thousand times.
  @Test
  void aResetAfterTheEndIsNoFault() throws IOException {
    OneMethod service = OneMethod.unary((item, context) -> item);
    try (ServerLog log = new ServerLog();
        ProbeServer server = ProbeServer.with(builder -> builder.add(service));
        RawClient client = server.connect()) {
      for (int i = 0; i < 1000; i++) {
        int stream = client.newStream();
        client.headers(stream, FieldBlock.call(OneMethod.PATH), false);
        client.data(stream, message(item()), true).send();
        assertEquals(0, client.reply(stream).status());
        client.reset(stream, ErrorCode.CANCEL.code()).send();
      }
      client.expectSecondCall();
      assertTrue(log.texts().isEmpty(), () -> log.texts().toString());
    }
  }

  // P50, P52, P53: the handler is done after one message, the client would go on. Trailers, then
  // RST_STREAM(NO_ERROR); and it frees a place in the table, or 1000 would be the end.
  @Test
  void anEarlyResponseFreesTheStream() throws IOException {
    OneMethod service =
        OneMethod.bidiStreaming(
            (requests, responses, context) -> {
              responses.send(requests.next());
              throw Status.ABORTED.withMessage("enough").exception();
            });
    try (ProbeServer server = ProbeServer.with(builder -> builder.add(service));
        RawClient client = server.connect()) {
      for (int i = 0; i < 1100; i++) {
        int stream = client.newStream();
        client.headers(stream, FieldBlock.call(OneMethod.PATH), false);
        client.data(stream, message(item()), false).send();
        Reply reply = client.reply(stream);
        while (reply.resetCode() < 0) {
          client.read();
        }
        assertEquals("HEADERS DATA HEADERS+ES RST_STREAM", reply.frames(), reply::toString);
        assertEquals(ABORTED, reply.status());
        assertEquals(ErrorCode.NO_ERROR.code(), reply.resetCode());
        client.data(stream, message(item()), false); // was under way
        if (i % 10 == 0) {
          client.send().sync();
        }
      }
      client.expectSecondCall();
    }
  }

  // P55: the end of the request is not the end of the call.
  @Test
  void aHalfClosedCallGoesOn() throws Exception {
    CountDownLatch halfClosed = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    OneMethod service =
        OneMethod.bidiStreaming(
            (requests, responses, context) -> {
              responses.send(item()); // before any request
              for (Item item : requests) {
                responses.send(item);
              }
              halfClosed.countDown();
              goOn.await();
              responses.send(item());
            });
    try (ProbeServer server = ProbeServer.with(builder -> builder.add(service));
        RawClient client = server.connect()) {
      int stream = client.newStream();
      client.headers(stream, FieldBlock.call(OneMethod.PATH), false).send();
      while (client.replySoFar(stream).data().length == 0) {
        client.read();
      }
      client.data(stream, message(item()), true).send();
      assertTrue(halfClosed.await(WAIT_SECONDS, TimeUnit.SECONDS));
      client.sync();
      goOn.countDown();
      Reply reply = client.reply(stream);
      assertEquals(0, reply.status(), reply::toString);
      assertEquals(3 * message(item()).length, reply.data().length);
    }
  }

  private static Item item() {
    return Item.newBuilder().setNumber(1).build();
  }
}
