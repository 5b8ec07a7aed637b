package dev.peregrine.server;

/**
 * Answers plain HTTP requests: a health check, a page, metrics.
 *
 * <p>Runs on the event loop, with the whole body read: it must not block, and everything else of
 * its loop waits while it computes.
 */
@FunctionalInterface
public interface HttpEndpoint {

  /**
   * Answers a request. An exception becomes 500 without its text and is logged.
   *
   * @return never {@code null}
   */
  HttpResponse handle(HttpRequest request) throws Exception;
}
