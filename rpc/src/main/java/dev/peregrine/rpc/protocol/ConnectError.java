package dev.peregrine.rpc.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Any;
import dev.peregrine.rpc.Metadata;
import dev.peregrine.rpc.Status;
import dev.peregrine.wire.Headers;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The JSON in which Connect tells how a call ended. Written by hand: three forms are no reason to
 * depend on an artifact. Any thread.
 *
 * <pre>
 *   {"code":"not_found","message":"no such row","details":[{"type":"pkg.Row","value":"CAE"}]}
 *   {"error":{...},"metadata":{"name":["one","two"]}}
 * </pre>
 */
final class ConnectError {

  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private ConnectError() {}

  /** The HTTP status of a unary call that failed. */
  static int httpStatus(Status.Code code) {
    return switch (code) {
      case OK -> 200;
      case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE -> 400;
      case UNAUTHENTICATED -> 401;
      case PERMISSION_DENIED -> 403;
      case NOT_FOUND -> 404;
      case ALREADY_EXISTS, ABORTED -> 409;
      case RESOURCE_EXHAUSTED -> 429;
      case CANCELLED -> 499;
      case UNKNOWN, INTERNAL, DATA_LOSS -> 500;
      case UNIMPLEMENTED -> 501;
      case UNAVAILABLE -> 503;
      case DEADLINE_EXCEEDED -> 504;
    };
  }

  /** The name of a code: gRPC's in lower case, but for one spelling. */
  static String codeName(Status.Code code) {
    return code == Status.Code.CANCELLED ? "canceled" : code.name().toLowerCase(Locale.ROOT);
  }

  /** The content of a unary call that failed. */
  static byte[] error(Status status) {
    StringBuilder json = new StringBuilder();
    appendError(json, status);
    return json.toString().getBytes(UTF_8);
  }

  /**
   * The content of the last envelope of a stream.
   *
   * @param trailers trailing metadata, or {@code null}
   */
  static byte[] endOfStream(Status status, Metadata trailers) {
    StringBuilder json = new StringBuilder("{");
    if (!status.isOk()) {
      json.append("\"error\":");
      appendError(json, status);
    }
    if (trailers != null && trailers.size() > 0) {
      json.append(status.isOk() ? "\"metadata\":{" : ",\"metadata\":{");
      appendMetadata(json, trailers.fields());
      json.append('}');
    }
    return json.append('}').toString().getBytes(UTF_8);
  }

  private static void appendError(StringBuilder json, Status status) {
    json.append("{\"code\":\"").append(codeName(status.code())).append('"');
    if (!status.message().isEmpty()) {
      json.append(",\"message\":");
      appendString(json, status.message());
    }
    if (!status.details().isEmpty()) {
      char separator = '[';
      json.append(",\"details\":");
      for (Any detail : status.details()) {
        json.append(separator).append("{\"type\":");
        appendString(json, typeName(detail.getTypeUrl()));
        json.append(",\"value\":\"")
            .append(Base64.getEncoder().withoutPadding().encodeToString(bytes(detail)))
            .append("\"}");
        separator = ',';
      }
      json.append(']');
    }
    json.append('}');
  }

  private static byte[] bytes(Any detail) {
    return detail.getValue().toByteArray();
  }

  /** The full name at the end of a type's URL. */
  private static String typeName(String url) {
    return url.substring(url.lastIndexOf('/') + 1);
  }

  private static void appendMetadata(StringBuilder json, Headers fields) {
    Set<String> names = new LinkedHashSet<>();
    for (int i = 0; i < fields.size(); i++) {
      names.add(fields.name(i).toString());
    }
    String separator = "";
    for (String name : names) {
      json.append(separator);
      appendString(json, name);
      json.append(':');
      appendValues(json, fields, name);
      separator = ",";
    }
  }

  private static void appendValues(StringBuilder json, Headers fields, String name) {
    char separator = '[';
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i).toString().equals(name)) {
        json.append(separator);
        appendString(json, fields.value(i));
        separator = ',';
      }
    }
    json.append(']');
  }

  /** A JSON string (RFC 8259, 7); a lone surrogate becomes U+FFFD. */
  private static void appendString(StringBuilder json, String text) {
    String whole = PercentEncoding.wellFormed(text);
    json.append('"');
    for (int i = 0; i < whole.length(); i++) {
      char c = whole.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 0xf]);
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }
}
