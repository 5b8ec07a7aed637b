package dev.peregrine.rpc.protocol;

import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.StreamListener;

/** A wire that calls can come by: one {@code accepts}, one {@code head}, one {@code open}. */
interface Protocol {

  /** The name shown to handlers. */
  String name();

  /**
   * Whether requests with this content type are of this protocol.
   *
   * @param contentType the field's value, or {@code null}
   */
  boolean accepts(String contentType);

  /**
   * Works out what a header section means.
   *
   * @param method what its path names, or {@code null} if there is no such method
   */
  Opening resolve(Headers headers, BoundMethod<?, ?> method, Router router);

  /** Begins a call. */
  <Q, R> StreamListener open(HttpStream stream, RequestHead<Q, R> head, boolean end);
}
