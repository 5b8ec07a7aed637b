package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Execution;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdleMemoryTest {

  private static final int CONNECTIONS = 2000;

  /**
   * The client's side is in the same heap: its sockets, streams and decoder are about half of this.
   */
  private static final int MAX_BYTES = 8 * 1024;

  @Test
  void connectionThatIsIdleAfterACallTakesFewKilobytesOfHeap() throws Exception {
    try (Server server =
        Server.builder()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .loops(1)
            .onTerm(false)
            .add(new EchoService(), Execution.inline())
            .start()) {
      List<RawClient> clients = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        clients.add(called(server.port()));
      }
      long before = usedBytes();
      for (int i = 0; i < CONNECTIONS; i++) {
        clients.add(called(server.port()));
      }
      long each = (usedBytes() - before) / CONNECTIONS;
      assertEquals(clients.size(), server.connections());
      assertTrue(each < MAX_BYTES, each + " bytes for each connection");
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  private static RawClient called(int port) throws Exception {
    RawClient client = new RawClient(port).open().call(1, EchoService.PATH, "x").flush();
    assertEquals("x", client.response(1).message());
    return client;
  }

  private static long usedBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
