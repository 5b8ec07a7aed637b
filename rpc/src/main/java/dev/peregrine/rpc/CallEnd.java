package dev.peregrine.rpc;

/**
 * How a call ended.
 *
 * @param method {@code package.Service/Method}; or the path as it was sent, for a method that does
 *     not exist
 * @param known whether the method exists
 * @param protocol the wire the call came by: {@code grpc}, {@code grpc-web}, {@code connect} or
 *     {@code http}
 * @param status the end: CANCELLED when the client went away, DEADLINE_EXCEEDED when time was over
 * @param httpStatus the HTTP status of the response; 0 if the call ended before any left
 * @param durationNanos from the request's header section to the end
 * @param requestBytes the messages received, compressed where they were, without prefixes
 * @param responseBytes the messages sent, compressed where they were, without prefixes
 * @param request the request as it came
 * @param context the call; {@code null} if it was refused before a handler could run
 */
public record CallEnd(
    String method,
    boolean known,
    String protocol,
    Status status,
    int httpStatus,
    long durationNanos,
    long requestBytes,
    long responseBytes,
    WireRequest request,
    Context context) {}
