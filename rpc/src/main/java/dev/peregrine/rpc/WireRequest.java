package dev.peregrine.rpc;

import java.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * A request as it came: its header section, untouched, and the connection that brought it. For
 * logs, traces and metrics. What is in it was written by the client. Any thread.
 *
 * <p>Implemented by Peregrine (and by the fakes of your tests); methods may be added.
 */
public interface WireRequest {

  /** The HTTP method; empty if there is none. */
  String method();

  /** The path with its query, as it was sent: neither decoded nor normalised; may be empty. */
  String target();

  /** The version of HTTP: {@code 1.0}, {@code 1.1}, {@code 2} or {@code 3}. */
  String httpVersion();

  /**
   * The first value of a header field, or {@code null}.
   *
   * @param name in lower case
   */
  String field(String name);

  /**
   * Every value of a header field, in order; empty if there is none.
   *
   * @param name in lower case
   */
  List<String> fieldValues(String name);

  /** The names of all header fields, in lower case and in order, with repetitions. */
  List<String> fieldNames();

  /** The client's address. */
  SocketAddress peer();

  /** The address the client connected to. */
  SocketAddress local();

  /** The TLS session of the connection; empty in plaintext. */
  Optional<SSLSession> tlsSession();
}
