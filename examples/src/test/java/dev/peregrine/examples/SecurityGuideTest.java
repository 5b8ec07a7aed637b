package dev.peregrine.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.Limits;
import dev.peregrine.server.ConnectionLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The table of limits in docs/security.md names every limit, with the default that the code has.
 */
class SecurityGuideTest {

  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| ([^|]+) \\|");

  private final Map<String, String> defaults = new LinkedHashMap<>();

  @BeforeEach
  void readTable() throws IOException {
    Matcher row = ROW.matcher(Files.readString(Path.of("../docs/security.md")));
    while (row.find()) {
      defaults.put(row.group(1), row.group(2));
    }
  }

  @Test
  void everyLimitHasItsRow() {
    List<String> limits = Arrays.stream(Limit.values()).map(Limit::name).toList();
    assertEquals(limits, List.copyOf(defaults.keySet()));
  }

  @Test
  void defaultsAreThoseOfTheCode() {
    ConnectionLimits connections = ConnectionLimits.DEFAULTS;
    says("CONNECTIONS", String.format("%,d", connections.maxConnections()));
    says("HANDSHAKES", String.format("%,d", connections.maxHandshakes()));
    says("HANDSHAKE_TIME", seconds(connections.handshakeTime()));
    says("OPENING_TIME", seconds(connections.openingTime()));
    says("HEADER_TIME", seconds(connections.headerTime()));
    says("CONTENT_TIME", "every " + seconds(connections.contentTime()));
    says("UNREAD_TIME", seconds(connections.unreadTime()));
    says("HEADER_BYTES", (connections.maxHeaderBytes() >> 10) + " KiB");
    says("CONCURRENT_STREAMS", String.format("%,d", connections.maxConcurrentStreams()));
    says("REQUEST_BYTES", (Limits.DEFAULTS.maxRequestBytes() >> 20) + " MiB");
    says("OPEN_CALLS", String.format("%,d", Limits.DEFAULTS.maxCalls()));
    assertEquals(Integer.MAX_VALUE, connections.maxConnectionsPerAddress());
    says("CONNECTIONS_PER_ADDRESS", "none");
    assertEquals(Integer.MAX_VALUE, connections.maxRequests());
    says("CONNECTION_REQUESTS", "none");
  }

  private void says(String limit, String text) {
    assertTrue(
        defaults.get(limit).startsWith(text) || defaults.get(limit).contains(" " + text),
        limit + ": " + defaults.get(limit) + ", not " + text);
  }

  private static String seconds(Duration time) {
    return time.toSeconds() + " s";
  }
}
