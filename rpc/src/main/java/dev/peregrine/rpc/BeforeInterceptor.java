package dev.peregrine.rpc;

import java.util.List;
import java.util.Objects;

/** Asks before a handler of any kind runs. Handler thread. */
final class BeforeInterceptor implements Interceptor {

  private final Check check;

  BeforeInterceptor(Check check) {
    this.check = Objects.requireNonNull(check, "check");
  }

  @Override
  public <Q, R> Handler.Unary<Q, R> unary(Method<Q, R> method, Handler.Unary<Q, R> next) {
    return (request, context) -> {
      check.check(context);
      return next.handle(request, context);
    };
  }

  /** A batch fails as a whole: who needs to reject single calls answers them singly. */
  @Override
  public <Q, R> Handler.UnaryBatch<Q, R> unaryBatch(
      Method<Q, R> method, Handler.UnaryBatch<Q, R> next) {
    return (List<Q> requests, List<Context> contexts) -> {
      for (Context context : contexts) {
        check.check(context);
      }
      return next.handle(requests, contexts);
    };
  }

  @Override
  public <Q, R> Handler.Streaming<Q, R> streaming(
      Method<Q, R> method, Handler.Streaming<Q, R> next) {
    return (requests, responses, context) -> {
      check.check(context);
      next.handle(requests, responses, context);
    };
  }

  @Override
  public <Q, R> Handler.EventDriven<Q, R> eventDriven(
      Method<Q, R> method, Handler.EventDriven<Q, R> next) {
    return call -> {
      check.check(call.context());
      return next.start(call);
    };
  }
}
