package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Interceptor;
import dev.peregrine.rpc.Method;
import java.util.List;

/** Wraps handlers in interceptors, once, when a server is built. */
final class Bindings {

  private Bindings() {}

  /** The handler within all interceptors; the first of the list is the outermost. */
  static <Q, R> Handler<Q, R> wrap(
      Method<Q, R> method, Handler<Q, R> handler, List<Interceptor> interceptors) {
    Handler<Q, R> wrapped = handler;
    for (int i = interceptors.size() - 1; i >= 0; i--) {
      wrapped = wrap(method, wrapped, interceptors.get(i));
    }
    return wrapped;
  }

  private static <Q, R> Handler<Q, R> wrap(
      Method<Q, R> method, Handler<Q, R> handler, Interceptor interceptor) {
    if (handler instanceof Handler.Unary<Q, R> unary) {
      return interceptor.unary(method, unary);
    }
    if (handler instanceof Handler.UnaryBatch<Q, R> batch) {
      return interceptor.unaryBatch(method, batch);
    }
    if (handler instanceof Handler.Streaming<Q, R> streaming) {
      return interceptor.streaming(method, streaming);
    }
    if (handler instanceof Handler.EventDriven<Q, R> eventDriven) {
      return interceptor.eventDriven(method, eventDriven);
    }
    throw new IllegalArgumentException("a handler is one of four kinds");
  }
}
