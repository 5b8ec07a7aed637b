package dev.peregrine.wire;

/** Called by an engine once per request. Implemented by the call layer. Loop-confined. */
@FunctionalInterface
public interface HttpHandler {

  /**
   * A request begins.
   *
   * @param stream where the response goes
   * @param headers the request's header section, already checked against RFC 9113 section 8; it may
   *     be shared with other requests and must not be changed. If {@link Headers#truncated()}, only
   *     a refusal (431) is a right answer
   * @param end whether the request has no content
   * @return what hears the rest of the request
   */
  StreamListener onRequest(HttpStream stream, Headers headers, boolean end);
}
