package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.ServerObserver;
import java.util.List;

/**
 * A method with all that is decided when a server is built: what answers it, where, within which
 * limits. Immutable, shared by all loops.
 *
 * @param observers who hears of its calls
 * @param executor what the execution became; {@code null} for inline
 * @param interrupts whether the end of a call interrupts its handler
 * @param batches where calls of a batch handler wait; {@code null} for other handlers
 */
record BoundMethod<Q, R>(
    Method<Q, R> method,
    Handler<Q, R> handler,
    CallExecutor executor,
    boolean interrupts,
    BatchQueue<Q, R> batches,
    Limits limits,
    List<ServerObserver> observers) {

  /** Whether the client may send any number of messages. */
  boolean streamsRequests() {
    return method.kind().streamsRequests();
  }

  /** What a call of this method needs beyond a unary one; {@code null} for a unary handler. */
  CallStreams<Q> openStreams(ServerCall<Q, R> call) {
    if (handler instanceof Handler.Unary || handler instanceof Handler.UnaryBatch) {
      return null;
    }
    if (handler instanceof Handler.EventDriven<Q, R> eventDriven) {
      return new EventDrivenStreams<>(call, eventDriven);
    }
    return new BlockingStreams<>(call);
  }
}
