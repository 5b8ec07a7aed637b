package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Cors;
import dev.peregrine.wire.HeaderName;
import dev.peregrine.wire.Headers;
import dev.peregrine.wire.HttpStream;
import dev.peregrine.wire.ResponseHead;
import dev.peregrine.wire.StreamListener;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What {@link Cors} means for requests: answers preflights, and adds what lets pages read answers,
 * those of refusals and of endpoints, too. Immutable, any thread.
 */
final class CorsRules {

  private static final HeaderName REQUEST_METHOD = HeaderName.of("access-control-request-method");
  private static final HeaderName REQUEST_HEADERS = HeaderName.of("access-control-request-headers");
  private static final HeaderName ALLOW_ORIGIN = HeaderName.of("access-control-allow-origin");
  private static final HeaderName ALLOW_METHODS = HeaderName.of("access-control-allow-methods");
  private static final HeaderName ALLOW_HEADERS = HeaderName.of("access-control-allow-headers");
  private static final HeaderName ALLOW_CREDENTIALS =
      HeaderName.of("access-control-allow-credentials");
  private static final HeaderName EXPOSE_HEADERS = HeaderName.of("access-control-expose-headers");
  private static final HeaderName MAX_AGE = HeaderName.of("access-control-max-age");

  /** Calls need the first two; endpoints may have any. */
  private static final String METHODS = "GET, POST, HEAD, PUT, PATCH, DELETE";

  /** What the protocols' clients send. */
  private static final List<String> REQUEST_FIELDS =
      List.of(
          "content-type",
          "content-encoding",
          "accept-encoding",
          "connect-protocol-version",
          "connect-timeout-ms",
          "connect-content-encoding",
          "connect-accept-encoding",
          "grpc-timeout",
          "grpc-encoding",
          "grpc-accept-encoding",
          "x-grpc-web",
          "x-user-agent");

  /** What the protocols' clients read. */
  private static final List<String> RESPONSE_FIELDS =
      List.of(
          "grpc-status",
          "grpc-message",
          "grpc-status-details-bin",
          "grpc-encoding",
          "content-encoding",
          "connect-content-encoding");

  private static final ResponseHead PREFLIGHT = ResponseHead.of(204, new Headers());
  private static final ResponseHead FORBIDDEN = ResponseHead.of(403, new Headers());

  private static final Headers VARY = new Headers().add(HeaderName.VARY, "origin");

  private final Cors cors;
  private final String exposed;
  private final String allowed;

  CorsRules(Cors cors) {
    this.cors = cors;
    this.exposed = exposed(cors);
    this.allowed = cors.allowedHeaders().isEmpty() ? null : join(REQUEST_FIELDS, cors);
  }

  private static String join(List<String> own, Cors cors) {
    Set<String> names = new LinkedHashSet<>(own);
    names.addAll(cors.allowedHeaders());
    return String.join(", ", names);
  }

  /** With credentials the asterisk is an ordinary name; without, it stands for every field. */
  private static String exposed(Cors cors) {
    List<String> names = new ArrayList<>(RESPONSE_FIELDS);
    names.addAll(cors.exposedHeaders());
    if (!cors.credentials()) {
      names.add("*");
    }
    return String.join(", ", names);
  }

  /** Whether a request asks, before another one, whether that is welcome. */
  static boolean isPreflight(Headers headers) {
    return "OPTIONS".equals(headers.get(HeaderName.METHOD))
        && headers.get(HeaderName.ORIGIN) != null
        && headers.get(REQUEST_METHOD) != null;
  }

  /** The answer to a preflight. */
  Opening preflight(Headers headers) {
    Headers fields = forOrigin(headers.get(HeaderName.ORIGIN));
    if (fields == null) {
      return (stream, end) -> answer(stream, FORBIDDEN, VARY);
    }
    fields.add(ALLOW_METHODS, METHODS);
    String wanted = headers.get(REQUEST_HEADERS);
    if (allowed != null || wanted != null) {
      fields.add(ALLOW_HEADERS, allowed != null ? allowed : wanted);
    }
    fields.add(MAX_AGE, Long.toString(cors.maxAge().toSeconds()));
    fields.add(HeaderName.VARY, "access-control-request-method, access-control-request-headers");
    return (stream, end) -> answer(stream, PREFLIGHT, fields);
  }

  private static StreamListener answer(HttpStream stream, ResponseHead head, Headers fields) {
    stream.head(head, fields, true);
    return Refusal.DEAF;
  }

  /** The same opening, whose answers tell the browser what its page may do with them. */
  Opening around(Opening opening, Headers headers) {
    String origin = headers.get(HeaderName.ORIGIN);
    Headers fields = origin == null ? null : forOrigin(origin);
    if (fields != null) {
      fields.add(EXPOSE_HEADERS, exposed);
    } else if (!cors.origins().isEmpty() && "GET".equals(headers.get(HeaderName.METHOD))) {
      // A cache must not give this answer to a page of an origin that is allowed.
      fields = VARY;
    } else {
      return opening;
    }
    return new CorsOpening(opening, fields);
  }

  /** The fields that allow an origin; {@code null} if it is not allowed. */
  private Headers forOrigin(String origin) {
    if (cors.origins().isEmpty()) {
      return new Headers().add(ALLOW_ORIGIN, "*");
    }
    if (!cors.origins().contains(origin)) {
      return null;
    }
    Headers fields = new Headers().add(ALLOW_ORIGIN, origin).add(HeaderName.VARY, "origin");
    return cors.credentials() ? fields.add(ALLOW_CREDENTIALS, "true") : fields;
  }
}
