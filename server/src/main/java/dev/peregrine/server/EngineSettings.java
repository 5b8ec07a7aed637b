package dev.peregrine.server;

import dev.peregrine.wire.http1.Http1Limits;
import dev.peregrine.wire.http2.Http2Limits;

/**
 * What the engines of a server are told. Immutable, any thread.
 *
 * @param openingNanos how long a peer may take until it has shown what it speaks
 * @param handshakeNanos how long it may take for a TLS handshake before that
 * @param sendsDate whether HTTP/1.1 responses carry a date
 */
record EngineSettings(
    Http1Limits http1,
    Http2Limits http2,
    boolean sendsDate,
    long openingNanos,
    long handshakeNanos) {}
