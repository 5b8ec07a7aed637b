package dev.peregrine.transcoding;

import dev.peregrine.rpc.HttpMapping;
import dev.peregrine.rpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** All rules of a server, by path. Built by one thread, then immutable and for any. */
final class RouteTable implements HttpMapping.Table {

  private static final String JSON = "application/json";

  private final PathTable<Route<?, ?>> routes = new PathTable<>();
  private final StatusJson statuses;

  RouteTable(StatusJson statuses) {
    this.statuses = statuses;
  }

  /**
   * Adds a rule.
   *
   * @throws IllegalArgumentException in one sentence, if another method has the same
   */
  void add(Route<?, ?> route) {
    Route<?, ?> other = routes.add(route.httpMethod(), route.template(), route);
    if (other != null && other.method() != route.method()) {
      throw new IllegalArgumentException(
          "the same requests mean two methods: " + other + " and " + route);
    }
  }

  @Override
  public HttpMapping.Match match(
      String httpMethod, String target, String contentType, String accept) {
    int mark = target.indexOf('?');
    String path = mark < 0 ? target : target.substring(0, mark);
    PathTable.Fit<Route<?, ?>> fit = routes.find(httpMethod, path);
    if (fit == null) {
      return otherMethods(path);
    }
    Route<?, ?> route = fit.value();
    if (route.method().kind().streamsRequests()) {
      return new HttpMapping.Refused(
          501,
          Status.UNIMPLEMENTED.withMessage(
              route.method() + " takes a stream of requests; call it by gRPC or Connect"),
          null);
    }
    if (route.hasBody() && !isJson(contentType)) {
      return new HttpMapping.Refused(
          415, Status.INVALID_ARGUMENT.withMessage("the content must be application/json"), null);
    }
    return found(route, fit, mark < 0 ? "" : target.substring(mark + 1), accept);
  }

  private HttpMapping.Match otherMethods(String path) {
    List<String> methods = List.copyOf(routes.methods(path));
    if (methods.isEmpty()) {
      return null;
    }
    String allow = String.join(", ", methods);
    return new HttpMapping.Refused(
        405, Status.UNIMPLEMENTED.withMessage("this path has " + allow), allow);
  }

  /**
   * Whether content may be read. Without a type it may; but not with one that browsers send across
   * origins without asking, as they do forms and plain text.
   */
  private static boolean isJson(String contentType) {
    if (contentType == null) {
      return true;
    }
    int end = contentType.indexOf(';');
    String type = (end < 0 ? contentType : contentType.substring(0, end)).strip();
    return type.toLowerCase(Locale.ROOT).equals(JSON);
  }

  private static <Q, R> HttpMapping.Found<Q, R> found(
      Route<Q, R> route, PathTable.Fit<?> fit, String query, String accept) {
    List<String> texts = new ArrayList<>();
    for (PathTemplate.Variable variable : route.template().variables()) {
      texts.add(fit.text(variable));
    }
    String contentType =
        route.method().kind().streamsResponses() ? StreamFormat.contentType(accept) : JSON;
    return new HttpMapping.Found<>(
        route.method(),
        new RequestCodec<>(route, texts, query),
        route.responseCodec(),
        contentType,
        route.method().kind().streamsResponses() ? StreamFormat.of(contentType) : null);
  }

  @Override
  public byte[] failure(Status status) {
    return statuses.toBytes(status);
  }
}
