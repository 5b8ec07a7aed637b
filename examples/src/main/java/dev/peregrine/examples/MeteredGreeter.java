package dev.peregrine.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.peregrine.micrometer.PeregrineMetrics;
import dev.peregrine.server.HttpEndpoint;
import dev.peregrine.server.HttpResponse;
import dev.peregrine.server.Server;
import dev.peregrine.server.ServerStartException;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Main thread only. What {@code ./peregrine metrics} runs: a greeter that is counted, and on a port
 * of its own, for this machine alone, what Prometheus reads.
 */
public final class MeteredGreeter implements AutoCloseable {

  private static final int EXIT_NOT_STARTED = 1;

  private static final int PORT = 7000;

  /** Where exporters of OpenTelemetry listen by default, too. */
  private static final int METRICS_PORT = 9464;

  /** The text format of Prometheus. */
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final Server server;
  private final Server admin;

  /** Starts both servers; a port of 0 lets the system choose. */
  MeteredGreeter(int port, int metricsPort) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new JvmMemoryMetrics().bindTo(registry);
    server =
        Server.builder()
            .port(port)
            .add(new Greeter())
            .add(new GreeterV1())
            .observe(new PeregrineMetrics(registry))
            .start();
    // A server of its own: its loop may take the milliseconds which a page of metrics takes, and
    // whoever may call does not see it.
    admin =
        Server.builder()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), metricsPort))
            .loops(1)
            .http("/metrics", page(registry))
            .start();
  }

  private static HttpEndpoint page(PrometheusMeterRegistry registry) {
    return request -> HttpResponse.of(200, TEXT, registry.scrape().getBytes(UTF_8));
  }

  /** The port of the calls. */
  int port() {
    return server.port();
  }

  /** The port of {@code /metrics}. */
  int metricsPort() {
    return admin.port();
  }

  @Override
  public void close() {
    server.close();
    admin.close();
  }

  /**
   * Serves until it is told to end.
   *
   * @param args none
   * @throws InterruptedException if the main thread is interrupted
   */
  public static void main(String[] args) throws InterruptedException {
    try (MeteredGreeter greeter = new MeteredGreeter(PORT, METRICS_PORT)) {
      System.out.println(
          "Serving calls on http://localhost:"
              + greeter.port()
              + ", metrics on http://localhost:"
              + greeter.metricsPort()
              + "/metrics");
      greeter.server.awaitTermination();
    } catch (ServerStartException e) {
      System.err.println(e.getMessage());
      System.exit(EXIT_NOT_STARTED);
    }
  }
}
