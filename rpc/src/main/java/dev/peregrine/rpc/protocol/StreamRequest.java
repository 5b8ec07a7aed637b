package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.WireRequest;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * A request as observers and handlers see it: a view of its stream. Any thread.
 *
 * @param stream its stream, of which nothing but the transport's constants is asked
 */
record StreamRequest(HttpStream stream, Headers headers) implements WireRequest {

  @Override
  public String method() {
    return orEmpty(headers.get(HeaderName.METHOD));
  }

  @Override
  public String target() {
    return orEmpty(headers.get(HeaderName.PATH));
  }

  /** CONNECT has no path (RFC 9113, 8.5). */
  private static String orEmpty(String value) {
    return value == null ? "" : value;
  }

  @Override
  public String httpVersion() {
    return switch (stream.version()) {
      case HTTP_1_0 -> "1.0";
      case HTTP_1_1 -> "1.1";
      case HTTP_2 -> "2";
      case HTTP_3 -> "3";
    };
  }

  @Override
  public String field(String name) {
    return headers.get(name);
  }

  @Override
  public List<String> fieldValues(String name) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < headers.size(); i++) {
      if (headers.name(i).toString().equals(name)) {
        values.add(headers.value(i));
      }
    }
    return values;
  }

  @Override
  public List<String> fieldNames() {
    List<String> names = new ArrayList<>(headers.size());
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i).toString();
      if (!name.startsWith(":")) {
        names.add(name);
      }
    }
    return names;
  }

  @Override
  public SocketAddress peer() {
    return stream.transport().peer();
  }

  @Override
  public SocketAddress local() {
    return stream.transport().local();
  }

  @Override
  public Optional<SSLSession> tlsSession() {
    return Optional.ofNullable(stream.transport().tlsSession());
  }

  @Override
  public String toString() {
    return method() + " " + target();
  }
}
