package dev.peregrine.conformance.interop;

/**
 * A request and how it came.
 *
 * @param compressed whether its message was compressed on the wire
 */
record Received<T>(T message, boolean compressed) {}
