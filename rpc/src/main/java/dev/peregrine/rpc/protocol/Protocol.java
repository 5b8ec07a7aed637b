package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.HttpVersion;
import dev.peregrine.wire.StreamListener;
import java.util.List;

/**
 * A wire that calls can come by, with one codec: which content types it has, what a header section
 * means by it, how a call begins and how one is refused. Any thread.
 */
interface Protocol {

  /** The name shown to handlers. */
  String name();

  /** The content types of requests, in lower case and without parameters. */
  List<String> contentTypes();

  /** Whether a method's kind can be called by these content types. */
  boolean serves(BoundMethod<?, ?> method);

  /**
   * Works out what a header section means.
   *
   * @param method what its path names, or {@code null} if there is no such method
   */
  Opening resolve(Headers headers, BoundMethod<?, ?> method, HttpVersion version, Router router);

  /** Begins a call. */
  <Q, R> StreamListener open(HttpStream stream, RequestHead<Q, R> head, boolean end);

  /** The answers to good requests which a server cannot take now. */
  CallRefusals refusals();

  /** The end of a call whose content is not what it should be. */
  Status malformed(String text);

  /** The field which names the compression of request messages. */
  HeaderName encodingField();
}
