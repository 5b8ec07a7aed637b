package dev.peregrine.rpc;

/**
 * How a plain HTTP request ended that means no call: one for an endpoint, a preflight, or one that
 * was refused where neither its path nor its content type is that of a call.
 *
 * @param request the request as it came
 * @param httpStatus the status of the response; 0 if the client went away before it
 * @param durationNanos from the request's header section until the response was handed over
 * @param requestBytes the content received
 * @param responseBytes the content sent
 */
public record HttpEnd(
    WireRequest request,
    int httpStatus,
    long durationNanos,
    long requestBytes,
    long responseBytes) {}
