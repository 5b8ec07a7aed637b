package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerProcessTest {

  private static final int SIGTERM_EXIT_CODE = 128 + 15;

  @Test
  void sigtermFinishesTheCallsAndEndsTheProcess() throws Exception {
    try (ServerProcess server = new ServerProcess(":");
        RawClient client = new RawClient(server.port);
        RawClient idle = new RawClient(server.port)) {
      idle.open().call(1, EchoService.PATH, "x").flush();
      assertEquals("x", idle.response(1).message());
      client.open().call(1, EchoService.PATH, "park").flush();
      server.awaitLine("parked");
      server.process.destroy(); // SIGTERM
      assertTrue(idle.closedAfterGoAway());
      // The first GOAWAY lets calls through that were under way: this one is.
      client.call(3, EchoService.PATH, "release").flush();
      assertEquals("park", client.response(1).message());
      assertEquals("release", client.response(3).message());
      assertTrue(client.closedAfterGoAway());
      assertEquals(SIGTERM_EXIT_CODE, server.exitCode());
    }
  }

  @Test
  void afterSigtermEverythingIsServedUntilTheDelayIsOver() throws Exception {
    long delayMillis = 1_000;
    try (ServerProcess server = new ServerProcess(":", delayMillis);
        RawClient client = new RawClient(server.port)) {
      client.open().call(1, EchoService.PATH, "before").flush();
      assertEquals("before", client.response(1).message());
      server.process.toHandle().destroy(); // SIGTERM, and its output can still be read
      server.awaitLine("told to stop");
      long toldNanos = System.nanoTime();
      client.call(3, EchoService.PATH, "old connection").flush();
      assertEquals("old connection", client.response(3).message());
      try (RawClient late = new RawClient(server.port)) {
        late.open().call(1, EchoService.PATH, "new connection").flush();
        assertEquals("new connection", late.response(1).message());
      }
      assertTrue(client.closedAfterGoAway());
      long servedMillis = (System.nanoTime() - toldNanos) / 1_000_000;
      assertTrue(servedMillis > delayMillis / 2, "drained after " + servedMillis + " ms");
      assertEquals(SIGTERM_EXIT_CODE, server.exitCode());
    }
  }

  @Test
  void withoutFileDescriptorsItServesTheConnectionsItHasAndLaterAcceptsTheOthers()
      throws Exception {
    int limit = 100; // the JVM itself has some 20 open
    int connections = 150;
    try (ServerProcess server = new ServerProcess("ulimit -n " + limit)) {
      List<RawClient> clients = new ArrayList<>();
      // Classes in a directory, unlike those in a jar, need a descriptor each: all are loaded now.
      clients.add(warmed(server.port));
      warmed(server.port).close();
      while (clients.size() < connections) {
        clients.add(new RawClient(server.port));
      }
      server.awaitLine("cannot accept connections");
      long cpuMillis = cpuMillis(server.process);
      // The next line comes a second later: a loop that spins has used most of it.
      server.awaitLine("cannot accept connections");
      cpuMillis = cpuMillis(server.process) - cpuMillis;
      assertTrue(cpuMillis < 500, "used " + cpuMillis + " ms of CPU time in a second");
      clients.get(0).call(9, EchoService.PATH, "served").flush();
      assertEquals("served", clients.get(0).response(9).message());
      closeAll(clients.subList(0, limit));
      RawClient last = clients.get(connections - 1);
      last.open().call(1, EchoService.PATH, "late").flush();
      assertEquals("late", last.response(1).message());
      closeAll(clients);
    }
  }

  private static RawClient warmed(int port) throws IOException {
    RawClient client = new RawClient(port).open();
    for (int streamId = 1; streamId <= 7; streamId += 2) {
      client.call(streamId, EchoService.PATH, "warm").flush();
      assertEquals("warm", client.response(streamId).message());
    }
    return client;
  }

  private static long cpuMillis(Process process) {
    return process.info().totalCpuDuration().orElseThrow().toMillis();
  }

  private static void closeAll(List<RawClient> clients) throws IOException {
    for (RawClient client : clients) {
      client.close();
    }
  }
}
