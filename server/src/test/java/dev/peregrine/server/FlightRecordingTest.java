package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Status;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What JDK Flight Recorder hears of a server, over sockets. */
class FlightRecordingTest {

  private static final String CALL = "dev.peregrine.Call";
  private static final String REFUSED = "dev.peregrine.CallRefused";
  private static final String CONNECTION = "dev.peregrine.Connection";
  private static final String GO_AWAY = "dev.peregrine.GoAway";

  private static final Duration SLOW = Duration.ofMillis(30);

  @TempDir Path directory;

  /** What a client does. */
  private interface Visit {
    void to(RawClient client) throws Exception;
  }

  private static String answer(String request) throws Exception {
    if (request.equals("slow")) {
      Thread.sleep(SLOW.toMillis());
    } else if (request.equals("fail")) {
      throw Status.NOT_FOUND.withMessage("no such thing").exception();
    }
    return request + request;
  }

  /** The events of one name in the recording of a visit; the server has ended then. */
  private List<RecordedEvent> record(boolean everyCall, String name, Visit visit) throws Exception {
    Path file = directory.resolve("recording.jfr");
    try (Recording recording = new Recording()) {
      if (everyCall) {
        recording.enable(CALL).withoutThreshold();
      }
      recording.start();
      try (Server server =
              Server.builder()
                  .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                  .onTerm(false)
                  .add(new EchoService((request, context) -> answer(request)), Execution.workers(1))
                  .start();
          RawClient client = new RawClient(server.port()).open()) {
        visit.to(client);
      }
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals(name))
        .toList();
  }

  private static void call(RawClient client, int streamId, String request) throws Exception {
    client.call(streamId, EchoService.PATH, request).flush();
    client.response(streamId);
  }

  @Test
  void everyCallIfTheRecordingWantsThemAll() throws Exception {
    List<RecordedEvent> events =
        record(
            true,
            CALL,
            client -> {
              call(client, 1, "four");
              call(client, 3, "fail");
            });
    assertEquals(2, events.size());
    RecordedEvent ok = events.get(0);
    assertEquals("echo.Echo/Unary", ok.getString("method"));
    assertEquals("grpc", ok.getString("protocol"));
    assertEquals("OK", ok.getString("status"));
    assertEquals(4, ok.getLong("requestBytes"));
    assertEquals(8, ok.getLong("responseBytes"));
    assertEquals("NOT_FOUND", events.get(1).getString("status"));
    assertEquals(0, events.get(1).getLong("responseBytes"));
  }

  @Test
  void onlySlowCallsUnlessToldOtherwise() throws Exception {
    List<RecordedEvent> events = record(false, CALL, client -> call(client, 1, "slow"));
    assertEquals(1, events.size());
    assertTrue(events.get(0).getDuration().compareTo(SLOW) >= 0, events.toString());
  }

  @Test
  void cancelledCall() throws Exception {
    List<RecordedEvent> events =
        record(
            true,
            CALL,
            client -> {
              client.head(1, "POST", EchoService.PATH, "application/grpc", false);
              client.frame(RawClient.RST_STREAM, 0, 1, new byte[] {0, 0, 0, 8}).flush();
              call(client, 3, "after");
            });
    assertEquals("CANCELLED", events.get(0).getString("status"));
    assertEquals("OK", events.get(1).getString("status"));
  }

  @Test
  void refusedCalls() throws Exception {
    List<RecordedEvent> events =
        record(
            false,
            REFUSED,
            client -> {
              client.head(1, "POST", "/echo.Echo/Absent", "application/grpc", true).flush();
              client.response(1);
              client.head(3, "GET", EchoService.PATH, "application/grpc", true).flush();
              client.response(3);
            });
    assertEquals(2, events.size());
    assertEquals("/echo.Echo/Absent", events.get(0).getString("method"));
    assertEquals("UNIMPLEMENTED", events.get(0).getString("status"));
    assertTrue(events.get(0).getString("reason").contains("Absent"), events.toString());
    assertEquals("echo.Echo/Unary", events.get(1).getString("method"));
  }

  @Test
  void connectionThatTheClientClosed() throws Exception {
    String[] peer = new String[1];
    List<RecordedEvent> events =
        record(
            false,
            CONNECTION,
            client -> {
              peer[0] = client.socket.getLocalSocketAddress().toString();
              call(client, 1, "x".repeat(1000));
              client.close();
            });
    assertEquals(1, events.size());
    RecordedEvent end = events.get(0);
    assertEquals(peer[0], end.getString("peer"));
    assertEquals("client closed", end.getString("reason"));
    assertTrue(end.getDuration("age").toNanos() > 0, end.toString());
    long received = end.getLong("bytesReceived");
    long sent = end.getLong("bytesSent");
    assertTrue(received > 1000 && received < 1500, end.toString());
    assertTrue(sent > 2000 && sent < 2500, end.toString());
  }

  @Test
  void goAwayNamesTheLimit() throws Exception {
    Visit pings =
        client -> {
          for (int i = 0; i < 5; i++) {
            client.frame(RawClient.PING, 0, 0, new byte[8]);
          }
          client.flush();
          assertTrue(client.closedAfterGoAway());
        };
    RecordedEvent goAway = record(false, GO_AWAY, pings).get(0);
    assertEquals("ENHANCE_YOUR_CALM", goAway.getString("code"));
    assertEquals("too_many_pings", goAway.getString("reason"));
    RecordedEvent end = record(false, CONNECTION, pings).get(0);
    assertEquals("too_many_pings", end.getString("reason"));
  }

  @Test
  void serverRunsWithoutFlightRecorder() throws Exception {
    String limited = "set -- --limit-modules java.base,java.logging,jdk.unsupported \"$@\"";
    try (ServerProcess server = new ServerProcess(limited);
        RawClient client = new RawClient(server.port).open()) {
      call(client, 1, "served");
      client.head(3, "POST", "/echo.Echo/Absent", "application/grpc", true).flush();
      assertEquals("12", client.response(3).grpcStatus());
      server.process.destroy();
      assertEquals(128 + 15, server.exitCode());
    }
  }
}
