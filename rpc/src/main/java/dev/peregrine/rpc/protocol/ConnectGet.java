package dev.peregrine.rpc.protocol;

import com.google.protobuf.ByteString;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpVersion;
import java.util.Base64;

/**
 * Connect's unary calls by GET: the message is in the query, so that caches and browsers may keep
 * the answer. Any thread.
 */
final class ConnectGet {

  private static final String VERSION = "v1";

  private ConnectGet() {}

  /** Whether a method may be called by GET: it must be declared free of side effects. */
  static boolean serves(BoundMethod<?, ?> method) {
    return method.method().kind() == Method.Kind.UNARY && method.method().noSideEffects();
  }

  /** Works out what a header section means. */
  static Opening resolve(
      Protocols protocols,
      Headers headers,
      BoundMethod<?, ?> method,
      HttpVersion version,
      Router router) {
    QueryParameters query = QueryParameters.of(headers.get(HeaderName.PATH));
    String encoding = query.text("encoding");
    if (encoding == null) {
      return fault(protocols, "the query names no encoding");
    }
    Protocol protocol = protocols.of("application/" + encoding);
    if (!(protocol instanceof ConnectUnaryProtocol unary)) {
      return protocols.unserved("application/" + encoding, method);
    }
    if (headers.contentLength() > 0) {
      return Refusal.http(415, Status.INVALID_ARGUMENT.withMessage("a GET has no content"));
    }
    String connect = query.text("connect");
    if (connect != null && !connect.equals(VERSION)) {
      return fault(protocols, "connect must be v1, not " + connect);
    }
    byte[] message = query.bytes("message");
    if (message != null && "1".equals(query.text("base64"))) {
      message = base64(message);
    }
    if (message == null) {
      return fault(protocols, "the query has no message, or a broken one");
    }
    return unary.resolve(
        headers, method, version, router, query.text("compression"), ByteString.copyFrom(message));
  }

  private static Refusal fault(Protocols protocols, String text) {
    return protocols.connect().malformedField(text);
  }

  /** URL-safe base64 (RFC 4648, 5), padded or not; {@code null} if it is not. */
  private static byte[] base64(byte[] text) {
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
