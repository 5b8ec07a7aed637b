package dev.peregrine.rpc;

import java.net.SocketAddress;
import java.security.Principal;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * What a handler may ask of its call. Handler thread, except for {@link #isCancelled} and {@link
 * #onCancel}: any thread.
 *
 * <p>Implemented by Peregrine (and by the fakes of your tests); methods may be added.
 */
public interface Context {

  /** Says that a call has no deadline. */
  long NO_DEADLINE = Long.MAX_VALUE;

  /** The method called. */
  Method<?, ?> method();

  /** The wire the call came by, e.g. {@code grpc}. */
  String protocol();

  /** Custom header fields of the request. Worked out when first asked for. */
  Metadata metadata();

  /** The request as it came: fields of the protocol, path, version of HTTP. */
  WireRequest wireRequest();

  /** The client's address. */
  SocketAddress peer();

  /** The address the client connected to. */
  SocketAddress local();

  /**
   * The TLS session of the client's connection: its version, and the certificates of the client if
   * it showed any ({@link SSLSession#getPeerCertificates}). Empty in plaintext.
   */
  Optional<SSLSession> tlsSession();

  /**
   * The user the client runs as, by the word of the system: for connections to a Unix domain socket
   * that are still open, on Linux and macOS. Empty elsewhere. Costs a call of the system each time.
   */
  default Optional<Principal> peerUser() {
    return Optional.empty();
  }

  /** The group the client runs as, where there is a {@link #peerUser}. */
  default Optional<Principal> peerGroup() {
    return Optional.empty();
  }

  /** Time left until the deadline in nanoseconds; negative when over; or {@link #NO_DEADLINE}. */
  long remainingNanos();

  /** Whether nobody waits for the answer any more: cancelled, lost, or past its deadline. */
  boolean isCancelled();

  /**
   * Runs something once when the call is cancelled, at once if it already is. It runs on the event
   * loop and must not block.
   */
  void onCancel(Runnable action);

  /**
   * Header fields to send. They leave with the first message, at {@link #sendHeaders}, or when the
   * call ends; what is changed after that is ignored.
   */
  Metadata responseHeaders();

  /**
   * Sends the {@link #responseHeaders} now rather than with the first message, for clients that
   * wait for them. Does nothing when they have left already, nor where the status must come first,
   * as with unary calls of Connect.
   */
  void sendHeaders();

  /** Trailer fields to send when the call ends. */
  Metadata responseTrailers();

  /**
   * Whether messages sent from here on are compressed, if the client takes it. Off when a call
   * begins.
   */
  void compressResponses(boolean on);

  /** What an interceptor left for the handler, or {@code null}. */
  <T> T get(ContextKey<T> key);

  /** Leaves something for those who come later. */
  <T> void set(ContextKey<T> key, T value);
}
