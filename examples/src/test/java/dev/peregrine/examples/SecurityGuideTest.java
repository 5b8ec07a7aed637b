package dev.peregrine.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limit;
import dev.peregrine.rpc.Limits;
import dev.peregrine.server.ConnectionLifetime;
import dev.peregrine.server.ConnectionLimits;
import dev.peregrine.wire.http1.Http1Limits;
import dev.peregrine.wire.http2.FloodLimits;
import dev.peregrine.wire.http2.Http2Limits;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The table of limits in docs/security.md names every limit, with the default that the code has and
 * the method that changes it.
 */
class SecurityGuideTest {

  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| ([^|]+) \\| ([^|]+) \\|");

  private static final Pattern SETTER = Pattern.compile("`(with\\w+)`");

  private final Map<String, String> defaults = new LinkedHashMap<>();
  private final Map<String, String> setBy = new LinkedHashMap<>();
  private String guide;

  @BeforeEach
  void readTable() throws IOException {
    guide = Files.readString(Path.of("../docs/security.md"));
    Matcher row = ROW.matcher(guide);
    while (row.find()) {
      defaults.put(row.group(1), row.group(2));
      setBy.put(row.group(1), row.group(3));
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
    assertEquals(Limits.NONE_NANOS, Limits.DEFAULTS.maxQueueWaitNanos());
    assertEquals(Execution.DEFAULT_QUEUE_CALLS, Execution.workers(1).queueCalls());
    says("WAITING_CALLS", String.format("%,d", Execution.DEFAULT_QUEUE_CALLS));
    ConnectionLifetime lifetime = ConnectionLifetime.DEFAULTS;
    says("KEEPALIVE_TIME", seconds(lifetime.keepaliveTimeout()));
    says("KEEPALIVE_TIME", lifetime.keepalive().toHours() + " h");
    says("PING_STRIKES", lifetime.permitPing().toMinutes() + " min");
  }

  @Test
  void fixedLimitsAreThoseOfTheEngines() {
    Http2Limits http2 = Http2Limits.STANDARD;
    says("UNREAD_BYTES", mebibytes(http2.unsentMaxBytes()) + " of answers");
    says("UNREAD_BYTES", mebibytes(http2.connectionQueueMarkBytes()) + " of replies");
    says("HEADER_BYTES", "from " + (http2.headerListHardBytes() >> 10) + " KiB");
    says("CONTINUATION_FRAMES", http2.maxContinuations() + " a header section");
    Http1Limits http1 = Http1Limits.STANDARD;
    says("UNREAD_BYTES", mebibytes(http1.queueMaxBytes()) + " of a response");
    says("CONTENT_TIME", (http1.contentMinBytes() >> 10) + " KiB every");
    says("CHUNK_OVERHEAD", (http1.chunkOverheadBytes() >> 10) + " KiB beyond");
    says("CHUNK_OVERHEAD", "line " + http1.chunkLineBytes() + " bytes");
    assertEquals(Long.MAX_VALUE, http1.contentBytes());
    says("CONTENT_BYTES", "none");
    FloodLimits floods = FloodLimits.STANDARD;
    says("STREAM_RESETS", rate(floods.resets()));
    says("STREAM_ERRORS", rate(floods.provokedResets()));
    says("REFUSED_STREAMS", rate(floods.refusedStreams()));
    says("PING_FRAMES", rate(floods.pings()));
    says("SETTINGS_FRAMES", rate(floods.settings()));
    says("EMPTY_DATA_FRAMES", rate(floods.emptyData()));
    says("WINDOW_UPDATE_FRAMES", rate(floods.windowUpdates()));
    says("IGNORED_FRAMES", rate(floods.ignoredFrames()));
  }

  @Test
  void limitsWithoutANameAreThoseOfTheCodeToo() {
    Http1Limits http1 = Http1Limits.STANDARD;
    ConnectionLimits connections = ConnectionLimits.DEFAULTS;
    for (String text :
        List.of(
            "also " + http1.headerCount() + " fields",
            (http1.requestLineBytes() >> 10) + " KiB of request line",
            (http1.trailerBytes() >> 10) + " KiB of trailers",
            "| closed after " + http1.idleNanos() / 1_000_000_000 + " s |",
            "| " + (http1.pipelineBytes() >> 10) + " KiB, then we stop reading |",
            "| "
                + mebibytes(connections.streamWindowBytes())
                + ", "
                + mebibytes(connections.connectionWindowBytes())
                + " |",
            "| " + (Limits.DEFAULTS.maxQueuedRequestBytes() >> 10) + " KiB each |")) {
      assertTrue(guide.contains(text), text);
    }
    assertEquals(Limits.DEFAULTS.maxQueuedRequestBytes(), Limits.DEFAULTS.maxQueuedResponseBytes());
    assertEquals(Limits.NONE_NANOS, Limits.DEFAULTS.defaultDeadlineNanos());
    assertEquals(Limits.NONE_NANOS, Limits.DEFAULTS.maxDeadlineNanos());
    assertNull(ConnectionLifetime.DEFAULTS.maxIdle());
    assertNull(ConnectionLifetime.DEFAULTS.maxAge());
  }

  @Test
  void eachLimitIsFixedOrIsSetByAMethodThatIsThere() {
    Set<String> methods =
        Stream.of(ConnectionLimits.class, Limits.class, ConnectionLifetime.class, Execution.class)
            .flatMap(type -> Arrays.stream(type.getMethods()))
            .map(Method::getName)
            .collect(Collectors.toSet());
    setBy.forEach(
        (limit, by) -> assertTrue(by.equals("fixed") || SETTER.matcher(by).find(), limit));
    Matcher setter = SETTER.matcher(guide);
    int found = 0;
    while (setter.find()) {
      assertTrue(methods.contains(setter.group(1)), setter.group(1));
      found++;
    }
    assertTrue(found > 20, "the guide names more methods than that");
  }

  private static String mebibytes(int bytes) {
    return (bytes >> 20) + " MiB";
  }

  private static String rate(FloodLimits.Rate rate) {
    return String.format("%,d at once, %,d a second", rate.burst(), rate.perSecond());
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
