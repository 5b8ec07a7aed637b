package dev.peregrine.rpc;

import java.util.List;

/**
 * What answers the calls of one method. It is invoked by many threads at once, as the {@link
 * Execution} of its method says.
 *
 * <p>A handler fails a call by throwing: {@link RpcException} carries a status to the client, any
 * other exception becomes UNKNOWN without its text and is logged once.
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
public sealed interface Handler<Q, R> {

  /** One request, one response. */
  @FunctionalInterface
  non-sealed interface Unary<Q, R> extends Handler<Q, R> {
    /** Answers a call; {@code null} is a fault of the handler (INTERNAL). */
    R handle(Q request, Context context) throws Exception;
  }

  /**
   * All calls of one unary method that are waiting, answered together.
   *
   * <p>The two lists are as long as each other, and so must be the answer.
   */
  @FunctionalInterface
  non-sealed interface UnaryBatch<Q, R> extends Handler<Q, R> {
    /** Answers the calls, in their order. */
    List<R> handle(List<Q> requests, List<Context> contexts) throws Exception;
  }

  /** Streams in blocking style: needs a thread that may block. */
  @FunctionalInterface
  non-sealed interface Streaming<Q, R> extends Handler<Q, R> {
    /** Serves one call; the call ends with OK when this returns. */
    void handle(Requests<Q> requests, Responses<R> responses, Context context) throws Exception;
  }

  /** Streams in event-driven style: never blocks, so it may run on the event loop. */
  @FunctionalInterface
  non-sealed interface EventDriven<Q, R> extends Handler<Q, R> {
    /** A call begins; the listener hears the rest. */
    CallListener<Q> start(Call<R> call) throws Exception;
  }

  /** The shape of a server-streaming method in blocking style. */
  @FunctionalInterface
  interface ServerStreaming<Q, R> {
    /** Serves one call; the call ends with OK when this returns. */
    void handle(Q request, Responses<R> responses, Context context) throws Exception;
  }

  /** The shape of a client-streaming method in blocking style. */
  @FunctionalInterface
  interface ClientStreaming<Q, R> {
    /** Serves one call and returns its only response. */
    R handle(Requests<Q> requests, Context context) throws Exception;
  }
}
