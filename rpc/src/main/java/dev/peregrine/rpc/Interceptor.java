package dev.peregrine.rpc;

/**
 * Wraps the handlers of a server or of a service. Composed once, when the server is built: a call
 * pays for what wraps its handler and nothing else.
 *
 * <p>Override what you need. The first interceptor added is the outermost. Wrapped handlers run
 * where the handler runs.
 */
public interface Interceptor extends ServerObserver {

  /** What is asked before a handler runs. */
  @FunctionalInterface
  interface Check {
    /**
     * Looks at a call: reads its metadata, adds response headers or trailers, sets context values.
     *
     * @throws RpcException to end the call with a status instead
     */
    void check(Context context) throws Exception;
  }

  /** Wraps a unary handler. */
  default <Q, R> Handler.Unary<Q, R> unary(Method<Q, R> method, Handler.Unary<Q, R> next) {
    return next;
  }

  /** Wraps a handler of batches. */
  default <Q, R> Handler.UnaryBatch<Q, R> unaryBatch(
      Method<Q, R> method, Handler.UnaryBatch<Q, R> next) {
    return next;
  }

  /** Wraps a streaming handler in blocking style, of any of the three streaming kinds. */
  default <Q, R> Handler.Streaming<Q, R> streaming(
      Method<Q, R> method, Handler.Streaming<Q, R> next) {
    return next;
  }

  /** Wraps a handler in event-driven style. */
  default <Q, R> Handler.EventDriven<Q, R> eventDriven(
      Method<Q, R> method, Handler.EventDriven<Q, R> next) {
    return next;
  }

  /** An interceptor that checks each call, of any kind, before its handler runs. */
  static Interceptor before(Check check) {
    return new BeforeInterceptor(check);
  }
}
