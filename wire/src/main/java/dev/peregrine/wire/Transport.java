package dev.peregrine.wire;

import java.net.SocketAddress;
import java.security.Principal;
import javax.net.ssl.SSLSession;

/**
 * What an engine may ask of the socket side. Implemented by the event loop's connection object and
 * by {@code FakeTransport} in tests. Loop-confined.
 */
public interface Transport {

  /**
   * The buffer to append outgoing bytes to. Valid only within a burst; the loop sends it when the
   * burst ends.
   */
  Output output();

  /**
   * Sends what {@link #output()} holds now, so that a long burst does not leave the peer idle.
   * Within a burst only; the output is empty afterwards.
   */
  void flush();

  /** Asks for one {@link Connection#transmit()} soon. Allowed outside a burst. */
  void wake();

  /**
   * Closes the socket after everything appended to the output has been handed to it. Idempotent.
   */
  void close();

  /** Stops ({@code false}) or resumes reading from the socket. */
  void readable(boolean on);

  /**
   * Whether the socket takes more bytes. While {@code false}, stream data should stay queued in the
   * engine; {@link Connection#transmit()} is called when this becomes {@code true} again.
   */
  boolean writable();

  /** Bytes handed to this transport which the socket has not taken yet. */
  long queuedBytes();

  /**
   * Hears that the call layer keeps so many more bytes of this connection's requests than before,
   * or fewer if a number is negative.
   *
   * @param partialBytes of messages whose rest the peer owes
   * @param streamBytes of streams' messages that wait for their handlers: the peer has done its
   *     part
   */
  default void held(int partialBytes, int streamBytes) {}

  /**
   * Hears that the engine has told the peer to go away.
   *
   * @param reason what the peer is told beside the code: the limit it passed, say; may be empty
   */
  default void wentAway(ErrorCode code, String reason) {}

  /**
   * Hears that a limit has stopped the peer: it was refused a request, or the connection ends.
   *
   * @param reason one sentence for a person, with the limit's value
   */
  default void limitReached(PeerLimit limit, String reason) {}

  /** The TLS session of the connection, or {@code null} in plaintext. */
  default SSLSession tlsSession() {
    return null;
  }

  /** The user the peer runs as, or {@code null} where the system does not say. Any thread. */
  default Principal peerUser() {
    return null;
  }

  /** The group the peer runs as, or {@code null} where the system does not say. Any thread. */
  default Principal peerGroup() {
    return null;
  }

  /** The peer's address. */
  SocketAddress peer();

  /** The address the peer connected to. */
  SocketAddress local();
}
