package dev.peregrine.accesslog;

import dev.peregrine.rpc.CallEnd;
import dev.peregrine.rpc.HttpEnd;
import dev.peregrine.rpc.WireRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import javax.net.ssl.SSLSession;

/**
 * What a line tells. Immutable, any thread.
 *
 * @param endMillis when it ended, since 1970
 * @param protocol the wire of a call; {@code http} for other requests
 * @param rpc the method of a call; {@code null} if none is known
 * @param code how a call ended; {@code null} for other requests
 * @param httpStatus 0 if no response left
 */
record Entry(
    WireRequest request,
    long endMillis,
    long durationNanos,
    String protocol,
    String rpc,
    String code,
    int httpStatus,
    long requestBytes,
    long responseBytes) {

  static Entry of(CallEnd end, long nowMillis) {
    return new Entry(
        end.request(),
        nowMillis,
        end.durationNanos(),
        end.protocol(),
        end.known() ? end.method() : null,
        end.status().code().name(),
        end.httpStatus(),
        end.requestBytes(),
        end.responseBytes());
  }

  static Entry of(HttpEnd end, long nowMillis) {
    return new Entry(
        end.request(),
        nowMillis,
        end.durationNanos(),
        "http",
        null,
        null,
        end.httpStatus(),
        end.requestBytes(),
        end.responseBytes());
  }

  long startMillis() {
    return endMillis - durationNanos / 1_000_000;
  }

  long durationMicros() {
    return durationNanos / 1_000;
  }

  /** The client's address without its port; {@code unix} for a Unix domain socket. */
  String host() {
    SocketAddress peer = request.peer();
    if (peer instanceof InetSocketAddress inet) {
      InetAddress address = inet.getAddress();
      return address == null ? inet.getHostString() : address.getHostAddress();
    }
    return "unix";
  }

  /** The client's port, or −1. */
  int port() {
    return request.peer() instanceof InetSocketAddress inet ? inet.getPort() : -1;
  }

  /** The version of TLS, e.g. {@code TLSv1.3}; {@code null} in plaintext. */
  String tls() {
    return request.tlsSession().map(SSLSession::getProtocol).orElse(null);
  }
}
