package dev.peregrine.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.peregrine.api.PublicApi;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What users add to their servers changes in review, or not at all. */
class PublicApiTest {

  @Test
  void surfaceIsAsCheckedIn() throws IOException {
    assertEquals(
        "",
        PublicApi.difference(
            OpenTelemetryMetrics.class, Path.of("..", "api", "peregrine-opentelemetry.api")));
  }
}
