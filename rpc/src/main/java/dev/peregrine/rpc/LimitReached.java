package dev.peregrine.rpc;

import java.net.SocketAddress;

/**
 * A limit has done its work. Immutable, any thread.
 *
 * @param limit which one
 * @param peer whom it stopped; {@code null} if it was nobody in particular
 * @param reason one sentence for a person, with the limit's value
 */
public record LimitReached(Limit limit, SocketAddress peer, String reason) {}
