package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.Method;

/**
 * A method with all that is decided when a server is built: what answers it, where, within which
 * limits. Immutable, shared by all loops.
 *
 * @param execution where the handler runs
 * @param executor what the execution became; {@code null} for inline
 */
record BoundMethod<Q, R>(
    Method<Q, R> method,
    Handler<Q, R> handler,
    Execution execution,
    CallExecutor executor,
    Limits limits) {}
