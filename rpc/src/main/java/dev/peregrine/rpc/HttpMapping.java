package dev.peregrine.rpc;

import java.util.List;

/**
 * Lets plain HTTP requests mean calls: by their method, path, query and content, and without any
 * wire for calls. One is given to the server's builder; modules implement it.
 */
@FunctionalInterface
public interface HttpMapping {

  /**
   * Works out which requests mean which methods. Called once for each server, when it is complete
   * and before it listens.
   *
   * @param services everything the server serves, in the order of adding
   * @throws IllegalArgumentException in one sentence, if that cannot be; keeps the server from
   *     starting
   */
  Table map(List<ServiceDefinition> services);

  /** The requests that mean calls. Any thread. */
  interface Table {

    /**
     * What a request means. Asked once for equal header sections, so what is returned must serve
     * any number of requests.
     *
     * @param httpMethod e.g. {@code GET}
     * @param target path and query as they were sent, one character for each byte
     * @param contentType the field of this name, or {@code null}
     * @param accept the field of this name, or {@code null}
     * @return {@code null} if no request for this path means a call
     */
    Match match(String httpMethod, String target, String contentType, String accept);

    /** The content of a failed call's response, in JSON. */
    byte[] failure(Status status);
  }

  /** What a request means. */
  sealed interface Match permits Found, Refused {}

  /**
   * A request that means a call.
   *
   * @param requestCodec makes the request message of the content, which may be empty, and of what
   *     the match has found in the target
   * @param responseCodec writes a response, or one item of a stream
   * @param contentType of a response
   * @param framing how the items of a stream follow each other; {@code null} for a method with one
   *     response
   */
  record Found<Q, R>(
      Method<Q, R> method,
      Codec<Q> requestCodec,
      Codec<R> responseCodec,
      String contentType,
      Framing framing)
      implements Match {}

  /**
   * A request that is refused.
   *
   * @param httpStatus 400 to 599
   * @param status what the content says
   * @param allow the methods which the path has, with 405; else {@code null}
   */
  record Refused(int httpStatus, Status status, String allow) implements Match {}

  /** How the items of a stream follow each other as content. Stateless, any thread. */
  interface Framing {

    /** An encoded item as it follows another one. */
    byte[] next(byte[] item);

    /** Changes, in place, what {@link #next} returned into the first item. */
    void asFirst(byte[] framed);

    /**
     * What ends a good stream; may be empty.
     *
     * @param empty whether there were no items
     */
    byte[] end(boolean empty);

    /**
     * What ends a stream that fails when its header section has left.
     *
     * @param failure what {@link Table#failure} made of the status
     * @param empty whether there were no items
     */
    byte[] failed(byte[] failure, boolean empty);
  }
}
