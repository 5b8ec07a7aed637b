package dev.peregrine.testcalls;

/**
 * What a client was answered. Any thread.
 *
 * @param httpStatus the HTTP status
 * @param grpcStatus the field of this name in the last header or trailer section of HTTP/2; {@code
 *     null} if there is none
 */
public record Reply(int httpStatus, String grpcStatus) {}
