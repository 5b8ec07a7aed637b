package dev.peregrine.rpc;

import java.net.SocketAddress;

/**
 * A connection that was accepted. Nothing has been read from it. Immutable, any thread.
 *
 * @param peer the peer's address
 * @param local the address it connected to
 */
public record ConnectionStart(SocketAddress peer, SocketAddress local) {}
