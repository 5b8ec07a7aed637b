package dev.peregrine.wire;

/** The request half of a stream: what an engine tells the call layer. Loop-confined. */
public interface StreamListener {

  /**
   * Request content arrived. The slice is lent for the duration of the call; its borders mean
   * nothing. Every byte must be given back with {@link HttpStream#credit} once it no longer takes
   * memory; until then it counts against the stream's receive window.
   *
   * @param end whether the request ends here ({@code length} may be 0 then)
   */
  void onData(byte[] bytes, int offset, int length, boolean end);

  /** The request ended with a trailer section. */
  void onTrailers(Headers trailers);

  /** The stream is dead: reset by the peer or by the engine, or the connection was lost. */
  void onReset(ErrorCode code);

  /**
   * The stream's queue of outgoing data has fallen below the engine's mark, or run empty; more may
   * be sent. A hint: it may come when nothing waited for it.
   */
  void onWritable();
}
