package dev.peregrine.rpc;

import java.net.SocketAddress;
import javax.net.ssl.SSLSession;

/**
 * How a connection ended. Immutable, any thread.
 *
 * @param peer the peer's address
 * @param local the address it connected to
 * @param tlsSession what was agreed upon, with the version of TLS; {@code null} in plaintext
 * @param durationNanos from accept to end
 * @param receivedBytes what came from the socket, encrypted as it was
 * @param sentBytes what the system took; the peer may not have
 * @param reason why it ended, for a person; if the peer was told to go away, what it was told
 */
public record ConnectionEnd(
    SocketAddress peer,
    SocketAddress local,
    SSLSession tlsSession,
    long durationNanos,
    long receivedBytes,
    long sentBytes,
    String reason) {}
