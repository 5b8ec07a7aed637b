package dev.peregrine.rpc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Which pages of other origins may call a server from a browser (the Fetch standard's CORS
 * protocol). Without it none may: browsers then show their pages no answer. Immutable, any thread:
 * each {@code with…} method returns a changed copy.
 *
 * <pre>{@code
 * Server.builder().cors(Cors.allowOrigins("https://app.example.com"))
 * }</pre>
 *
 * <p>CORS protects users, not servers: any other program may still call. What a page must not do
 * without its user's consent has to need more than a cookie.
 *
 * @param origins as browsers send them, e.g. {@code https://app.example.com}; empty for any
 * @param allowedHeaders what requests may carry beyond the protocols' own; empty for whatever the
 *     page asks for
 * @param exposedHeaders what pages may read beyond the protocols' own, in lower case
 * @param maxAge how long a browser may remember the answer to a preflight
 * @param credentials whether cookies may come along; not with any origin
 */
public record Cors(
    List<String> origins,
    List<String> allowedHeaders,
    List<String> exposedHeaders,
    Duration maxAge,
    boolean credentials) {

  /** What Chromium cuts longer ones to. */
  private static final Duration TWO_HOURS = Duration.ofHours(2);

  /**
   * Checks what was given.
   *
   * @throws IllegalArgumentException in one sentence, if browsers would not understand it
   */
  public Cors {
    origins = List.copyOf(origins);
    allowedHeaders = lowerCase(allowedHeaders);
    exposedHeaders = lowerCase(exposedHeaders);
    origins.forEach(Cors::checkOrigin);
    if (maxAge.isNegative()) {
      throw new IllegalArgumentException("maxAge(" + maxAge + ") is negative");
    }
    if (credentials && origins.isEmpty()) {
      throw new IllegalArgumentException(
          "credentials with any origin would let every site act in its visitors' names:"
              + " name the origins");
    }
  }

  private static List<String> lowerCase(List<String> names) {
    List<String> lower = new ArrayList<>();
    for (String name : names) {
      if (!name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+")) {
        throw new IllegalArgumentException("\"" + name + "\" is not a header field name");
      }
      lower.add(name.toLowerCase(Locale.ROOT));
    }
    return List.copyOf(lower);
  }

  private static void checkOrigin(String origin) {
    if (!origin.matches("[a-z][a-z0-9+.-]*://[!-~&&[^/?#,]]+")) {
      throw new IllegalArgumentException(
          "\"" + origin + "\" is not an origin: it has a scheme and a host, and no path");
    }
  }

  /** Pages of any origin may call, without cookies. */
  public static Cors allowAnyOrigin() {
    return new Cors(List.of(), List.of(), List.of(), TWO_HOURS, false);
  }

  /**
   * Pages of these origins may call, without cookies.
   *
   * @param origins at least one, e.g. {@code https://app.example.com}
   */
  public static Cors allowOrigins(String... origins) {
    if (origins.length == 0) {
      throw new IllegalArgumentException("allowOrigins() needs an origin");
    }
    return new Cors(List.of(origins), List.of(), List.of(), TWO_HOURS, false);
  }

  /** The same, but requests may carry these header fields only, beside the protocols' own. */
  public Cors withAllowedHeaders(String... names) {
    return new Cors(origins, List.of(names), exposedHeaders, maxAge, credentials);
  }

  /**
   * The same, and pages may read these header fields, too. Trailing metadata of unary Connect calls
   * comes as header fields with the prefix {@code trailer-}.
   */
  public Cors withExposedHeaders(String... names) {
    return new Cors(origins, allowedHeaders, List.of(names), maxAge, credentials);
  }

  /** The same with another {@link #maxAge}; by default two hours. */
  public Cors withMaxAge(Duration time) {
    return new Cors(origins, allowedHeaders, exposedHeaders, time, credentials);
  }

  /** The same, and cookies may come along. */
  public Cors withCredentials() {
    return new Cors(origins, allowedHeaders, exposedHeaders, maxAge, true);
  }
}
