package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.peregrine.rpc.Execution;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which addresses a socket is reached by, and how it is set up. */
@Timeout(60)
class DualStackTest {

  private static Server start(ListenSocket socket) {
    EchoService service =
        new EchoService((request, context) -> context.peer().getClass().getSimpleName());
    return Server.builder()
        .listen(socket)
        .loops(2)
        .onTerm(false)
        .grace(Duration.ofSeconds(5))
        .add(service, Execution.inline())
        .start();
  }

  private static String call(Server server, String address) throws Exception {
    try (Socket socket = new Socket(InetAddress.getByName(address), server.port());
        RawClient client = new RawClient(socket).open()) {
      client.call(1, EchoService.PATH, "x").flush();
      return client.response(1).message();
    }
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1", "::1"})
  void aPortIsReachedByBothKindsOfAddresses(String address) throws Exception {
    try (Server server = start(ListenSocket.port(0))) {
      assertEquals("InetSocketAddress", call(server, address));
    }
    try (Server server = start(ListenSocket.address(new InetSocketAddress("::", 0)))) {
      assertEquals("InetSocketAddress", call(server, address));
    }
  }

  // Small buffers of the kernel only make more turns of it.
  @Test
  void optionsOfTheSocketsLeaveCallsAsTheyAre() throws Exception {
    ListenSocket socket =
        ListenSocket.port(0).withBacklog(16).withBufferBytes(4096, 4096).withTcpKeepAlive();
    try (Server server = start(socket)) {
      assertEquals("InetSocketAddress", call(server, "127.0.0.1"));
    }
  }
}
