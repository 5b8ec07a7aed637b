package dev.peregrine.conformance;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.peregrine.server.ConnectionLifetime;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Pitfalls G: pings, idleness and age of connections, as far as a user can set them. */
class LifetimePitfallsTest {

  private static final int NO_ERROR = 0;
  private static final int ENHANCE_YOUR_CALM = 11;

  // P75: by default a client without calls may not ping all the time, and is told in gRPC's words.
  @Test
  void tooManyPingsAreToldInTheWordsThatClientsKnow() throws IOException {
    try (ProbeServer server =
            ProbeServer.with(builder -> builder.lifetime(ConnectionLifetime.DEFAULTS));
        RawClient client = server.connect()) {
      for (int i = 0; i < 4; i++) {
        client.frame(Frame.PING, 0, 0, new byte[8]);
      }
      client.send();
      expectGoAway(client, ENHANCE_YOUR_CALM, "too_many_pings");
    }
  }

  // P75: pings between replies, as clients send to measure bandwidth, are no reason.
  @Test
  void pingsBetweenRepliesAreFine() throws IOException {
    try (ProbeServer server =
            ProbeServer.with(builder -> builder.lifetime(ConnectionLifetime.DEFAULTS));
        RawClient client = server.connect()) {
      for (int i = 0; i < 20; i++) {
        client.frame(Frame.PING, 0, 0, new byte[8]).send();
        client.expectSecondCall();
      }
    }
  }

  // P76, P82: limits of age and of idleness are off until they are set, and then end in good order.
  @Test
  void oldAndIdleConnectionsAreDrained() throws IOException {
    Duration soon = Duration.ofMillis(300);
    ConnectionLifetime idle = ConnectionLifetime.DEFAULTS.withAge(soon, null, null);
    ConnectionLifetime old = ConnectionLifetime.DEFAULTS.withAge(null, soon, soon);
    expectDrained(idle, "max_idle");
    expectDrained(old, "max_age");
  }

  private static void expectDrained(ConnectionLifetime lifetime, String reason) throws IOException {
    try (ProbeServer server = ProbeServer.with(builder -> builder.lifetime(lifetime));
        RawClient client = server.connect()) {
      expectGoAway(client, NO_ERROR, reason);
    }
  }

  private static void expectGoAway(RawClient client, int code, String debug) throws IOException {
    while (client.read() != null) {
      // until the server closes
    }
    Frame goaway = client.goaway();
    assertNotNull(goaway);
    assertEquals(code, goaway.int32(4));
    assertEquals(debug, new String(goaway.payload(), 8, goaway.payload().length - 8, US_ASCII));
  }
}
