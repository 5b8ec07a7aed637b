package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Status;
import dev.peregrine.wire.HeaderName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The wires that a server speaks, by content type. Made when a server is built, then any thread.
 */
final class Protocols {

  private static final String JSON = "json";

  private final Map<String, Protocol> byContentType = new HashMap<>();
  private final List<Protocol> all = new ArrayList<>();
  private final ConnectUnaryProtocol connect;
  private final Codings codings;
  private final boolean json;

  Protocols(Codings codings) {
    this.codings = codings;
    connect = add("proto", true, codings);
    boolean anyJson = false;
    for (String subtype : codings.subtypes()) {
      add(subtype, false, codings);
      anyJson |= subtype.equals(JSON);
    }
    json = anyJson;
    for (String contentType : PlainProtocol.CONTENT_TYPES) {
      add(new PlainProtocol(contentType, codings));
    }
  }

  private ConnectUnaryProtocol add(String subtype, boolean isDefault, Codings codings) {
    ConnectUnaryProtocol unary = new ConnectUnaryProtocol(subtype, isDefault, codings);
    add(new GrpcProtocol(subtype, isDefault, codings));
    add(new GrpcWebProtocol(subtype, isDefault, codings, false));
    add(new GrpcWebProtocol(subtype, isDefault, codings, true));
    add(unary);
    add(new ConnectStreamProtocol(subtype, isDefault, codings));
    return unary;
  }

  private void add(Protocol protocol) {
    all.add(protocol);
    for (String contentType : protocol.contentTypes()) {
      byContentType.put(contentType, protocol);
    }
  }

  /**
   * The protocol of a content type, or {@code null}. Types are compared without regard to case and
   * without their parameters; the usual spelling is found at once.
   */
  Protocol of(String contentType) {
    if (contentType == null) {
      return null;
    }
    Protocol protocol = byContentType.get(contentType);
    return protocol != null ? protocol : byContentType.get(essence(contentType));
  }

  /** The codecs and compressors they share. */
  Codings codings() {
    return codings;
  }

  /** Connect's unary calls with binary protobuf: their failures are JSON like all of Connect's. */
  ConnectUnaryProtocol connect() {
    return connect;
  }

  /** A content type in lower case, without its parameters. */
  static String essence(String contentType) {
    int end = contentType.indexOf(';');
    String type = end < 0 ? contentType : contentType.substring(0, end).stripTrailing();
    return type.toLowerCase(Locale.ROOT);
  }

  /** The answer to a content type which a method does not have. */
  Refusal unserved(String contentType, BoundMethod<?, ?> method) {
    Status status = Status.INTERNAL.withMessage(text(contentType, method));
    return method == null
        ? Refusal.http(415, status)
        : Refusal.http(415, status, HeaderName.ACCEPT_POST, acceptPost(method));
  }

  private String text(String contentType, BoundMethod<?, ?> method) {
    if (contentType == null) {
      return "a call needs a content-type, e.g. application/grpc or application/proto";
    }
    String type = essence(contentType);
    if (!json && (type.endsWith("/" + JSON) || type.endsWith("+" + JSON))) {
      return type + " is not served here: the module peregrine-json is not on the path";
    }
    boolean known = byContentType.containsKey(type);
    return known && method != null
        ? type + " does not fit " + method.method() + ", which is " + kind(method)
        : type + " is not served here";
  }

  private static String kind(BoundMethod<?, ?> method) {
    return method.method().kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private String acceptPost(BoundMethod<?, ?> method) {
    List<String> types = new ArrayList<>();
    for (Protocol protocol : all) {
      if (protocol.serves(method)) {
        types.addAll(protocol.contentTypes());
      }
    }
    types.removeIf(type -> type.endsWith("+"));
    return String.join(", ", types);
  }
}
