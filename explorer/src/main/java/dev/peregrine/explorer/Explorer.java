package dev.peregrine.explorer;

import dev.peregrine.rpc.ServerLifecycle;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.server.HttpEndpoint;
import dev.peregrine.server.HttpRequest;
import dev.peregrine.server.HttpResponse;
import java.util.List;

/**
 * Any thread. One page, without anything from elsewhere, that lists the services, methods and
 * messages of a server with their comments, and calls unary and server-streaming methods from the
 * browser.
 *
 * <pre>{@code
 * Server.builder().port(50051).add(new Greeter()).http("/", new Explorer())
 * }</pre>
 *
 * <p>It learns of the server's services when the server starts, and makes the page when it is first
 * asked for. Whoever can open the page sees the whole API and can call it, as by reflection: where
 * that is not wanted, do not add it. One server each.
 */
public final class Explorer implements HttpEndpoint, ServerLifecycle {

  private static final HttpResponse WRONG_METHOD =
      HttpResponse.text(405, "This page answers GET alone.\n").withHeader("allow", "GET, HEAD");

  private volatile List<ServiceDefinition> services = List.of();
  private volatile HttpResponse page;

  /** For one server. */
  public Explorer() {}

  @Override
  public void onStart(List<ServiceDefinition> services) {
    this.services = List.copyOf(services);
    this.page = null;
  }

  @Override
  public HttpResponse handle(HttpRequest request) {
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      return WRONG_METHOD;
    }
    HttpResponse current = page;
    if (current == null) {
      // Two loops may both make one; they are the same.
      current = Page.of(Schema.of(services)).response();
      page = current;
    }
    return current;
  }
}
