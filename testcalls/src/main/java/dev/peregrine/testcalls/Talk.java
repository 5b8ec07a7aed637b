package dev.peregrine.testcalls;

import com.google.protobuf.StringValue;
import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Requests;
import dev.peregrine.rpc.Responses;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * A service whose calls end as their text says: {@code fail} with NOT_FOUND, {@code crash} by an
 * exception, {@code wait} when nobody waits any more; anything else is answered. Handler threads.
 */
public final class Talk implements Service {

  /** Answers with one message. */
  public static final Method<StringValue, StringValue> SAY =
      Method.unary(
          "test.Talk/Say", StringValue.getDefaultInstance(), StringValue.getDefaultInstance());

  /** Answers all calls that wait together. */
  public static final Method<StringValue, StringValue> TOGETHER =
      Method.unary(
          "test.Talk/Together", StringValue.getDefaultInstance(), StringValue.getDefaultInstance());

  /** Answers with as many messages as the text has characters. */
  public static final Method<StringValue, StringValue> SPELL =
      Method.serverStreaming(
          "test.Talk/Spell", StringValue.getDefaultInstance(), StringValue.getDefaultInstance());

  /** Answers each message with one, in blocking style. */
  public static final Method<StringValue, StringValue> CHAT =
      Method.bidiStreaming(
          "test.Talk/Chat", StringValue.getDefaultInstance(), StringValue.getDefaultInstance());

  /** Answers each message with one, in event-driven style. */
  public static final Method<StringValue, StringValue> LISTEN =
      Method.bidiStreaming(
          "test.Talk/Listen", StringValue.getDefaultInstance(), StringValue.getDefaultInstance());

  private final Consumer<Context> inHandler;
  private final Semaphore waiting = new Semaphore(0);

  /** Without anything of the test's own. */
  public Talk() {
    this(context -> {});
  }

  /**
   * With something that runs whenever a handler does.
   *
   * @param inHandler is given the call
   */
  public Talk(Consumer<Context> inHandler) {
    this.inHandler = inHandler;
  }

  /** Waits until the handler of one more {@code wait} runs. */
  public void awaitWaiting() throws InterruptedException {
    waiting.acquire();
  }

  private StringValue answer(StringValue request, Context context) throws InterruptedException {
    inHandler.accept(context);
    switch (request.getValue()) {
      case "fail" -> throw Status.NOT_FOUND.withMessage("no such word").exception();
      case "crash" -> throw new IllegalStateException("a secret");
      case "wait" -> {
        CountDownLatch over = new CountDownLatch(1);
        context.onCancel(over::countDown);
        waiting.release();
        over.await();
      }
      default -> {}
    }
    return StringValue.of("hello " + request.getValue());
  }

  private List<StringValue> answer(List<StringValue> requests, List<Context> contexts)
      throws InterruptedException {
    List<StringValue> answers = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      answers.add(answer(requests.get(i), contexts.get(i)));
    }
    return answers;
  }

  private void spell(StringValue request, Responses<StringValue> responses, Context context)
      throws InterruptedException {
    StringValue whole = answer(request, context);
    for (int i = 0; i < request.getValue().length(); i++) {
      responses.send(whole);
    }
  }

  private void chat(
      Requests<StringValue> requests, Responses<StringValue> responses, Context context)
      throws InterruptedException {
    StringValue request = requests.next();
    while (request != null) {
      responses.send(answer(request, context));
      request = requests.next();
    }
  }

  private CallListener<StringValue> listen(Call<StringValue> call) {
    inHandler.accept(call.context());
    return new CallListener<>() {
      @Override
      public void onMessage(StringValue message) throws InterruptedException {
        call.send(answer(message, call.context()));
        call.request(1);
      }

      @Override
      public void onHalfClose() {
        inHandler.accept(call.context());
        call.close(Status.OK);
      }

      @Override
      public void onCancel(Status reason) {
        inHandler.accept(call.context());
      }
    };
  }

  @Override
  public ServiceDefinition definition() {
    return ServiceDefinition.of("test.Talk")
        .unary(SAY, this::answer)
        .unaryBatch(TOGETHER, this::answer)
        .serverStreaming(SPELL, this::spell)
        .bidiStreaming(CHAT, this::chat)
        .eventDriven(LISTEN, this::listen);
  }
}
