package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class UnixSocketTest {

  @TempDir Path folder;

  private static ServerBuilder builder() {
    return Server.builder()
        .onTerm(false)
        .loops(2)
        .grace(Duration.ofSeconds(5))
        .add(new EchoService())
        .http("/", request -> HttpResponse.text(200, "hello"));
  }

  @Test
  void servesCallsAndPagesAndRemovesItsFile() throws IOException {
    Path path = folder.resolve("server.sock");
    try (Server server = builder().unix(path).start()) {
      for (int i = 0; i < 10; i++) {
        assertTrue(get(path).endsWith("hello"));
      }
      assertThrows(IllegalStateException.class, server::port);
      assertTrue(server.addresses().isEmpty());
    }
    assertFalse(Files.exists(path));
  }

  @Test
  void theUserBehindACallIsKnownToTheHandler() throws IOException {
    EchoService service =
        new EchoService(
            (request, context) ->
                context.peerUser().map(Principal::getName).orElse("nobody")
                    + ":"
                    + context.peerGroup().map(Principal::getName).orElse("no group"));
    Path path = folder.resolve("server.sock");
    PosixFileAttributes own = Files.readAttributes(folder, PosixFileAttributes.class);
    String expected = own.owner().getName() + ":" + own.group().getName();
    try (Server server = Server.builder().onTerm(false).unix(path).port(0).add(service).start();
        RawClient client = new RawClient(server.port()).open()) {
      String reply = post(path, "x");
      assertTrue(reply.endsWith(expected), () -> reply + " does not end with " + expected);
      client.call(1, EchoService.PATH, "x").flush();
      assertEquals("nobody:no group", client.response(1).message());
    }
  }

  @Test
  void listensOnAPortAsWell() throws IOException {
    Path path = folder.resolve("server.sock");
    try (Server server = builder().port(0).unix(path).start();
        RawClient client = new RawClient(server.port()).open()) {
      client.call(1, EchoService.PATH, "by port").flush();
      assertEquals("by port", client.response(1).message());
      assertTrue(get(path).endsWith("hello"));
    }
  }

  @Test
  void thePermissionsAreThoseAskedFor() throws IOException {
    Path path = folder.resolve("server.sock");
    assertServesWith("rw-rw----", builder().unix(path, "rw-rw----"), path);
  }

  // Whatever the umask says.
  @Test
  void byDefaultNobodyElseMayConnect() throws IOException {
    Path path = folder.resolve("server.sock");
    assertServesWith("rw-------", builder().unix(path), path);
  }

  private static void assertServesWith(String permissions, ServerBuilder builder, Path path)
      throws IOException {
    try (Server server = builder.start()) {
      assertEquals(permissions, PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
      assertTrue(get(path).endsWith("hello"));
      assertFalse(server.isTerminated());
    }
  }

  @Test
  void whoCameBeforeThePermissionsIsTurnedAway() throws IOException {
    Path path = folder.resolve("server.sock");
    UnixSocket socket = UnixSocket.bind(path, null, 10);
    try (ServerSocketChannel channel = socket.channel();
        SocketChannel early = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      socket.turnAwayEarly();
      assertEquals(-1, early.read(ByteBuffer.allocate(1)));
      try (SocketChannel later = SocketChannel.open(UnixDomainSocketAddress.of(path));
          SocketChannel accepted = channel.accept()) {
        assertTrue(accepted.isConnected() && later.isConnected());
      }
    }
  }

  // What a server that was killed leaves: a file that nobody listens at.
  @Test
  void aFileLeftBehindIsReplaced() throws IOException {
    Path path = folder.resolve("server.sock");
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(path));
    }
    assertTrue(Files.exists(path));
    try (Server server = builder().unix(path).start()) {
      assertTrue(get(path).endsWith("hello"));
      assertFalse(server.isTerminated());
    }
  }

  @Test
  void aPathInUseIsRefusedAndLeftAlone() throws IOException {
    Path path = folder.resolve("server.sock");
    try (Server first = builder().unix(path).start()) {
      ServerStartException e =
          assertThrows(ServerStartException.class, () -> builder().unix(path).start());
      assertTrue(e.getMessage().contains("another process listens there"), e::toString);
      assertTrue(get(path).endsWith("hello"));
      assertFalse(first.isTerminated());
    }
  }

  @Test
  void aFileThatIsNoSocketIsLeftAlone() throws IOException {
    Path path = Files.writeString(folder.resolve("notes.txt"), "precious");
    ServerStartException e =
        assertThrows(ServerStartException.class, () -> builder().unix(path).start());
    assertTrue(e.getMessage().contains("no socket"), e::toString);
    assertEquals("precious", Files.readString(path));
  }

  // To connect to one of these is refused like to a socket that nobody listens at.
  @Test
  void aPipeOrALinkIsLeftAlone() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Path socket = folder.resolve("dead.sock");
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(socket));
    }
    Path link = Files.createSymbolicLink(folder.resolve("link"), socket);
    for (Path path : List.of(pipe, link)) {
      ServerStartException e =
          assertThrows(ServerStartException.class, () -> builder().unix(path).start());
      assertTrue(e.getMessage().contains("no socket"), e::toString);
      assertTrue(Files.exists(path, LinkOption.NOFOLLOW_LINKS), path::toString);
    }
    assertTrue(Files.exists(socket));
  }

  // A server that accepts nothing for now: who asks must not wait, nor take its place.
  @Test
  @Timeout(10)
  void aServerWithAFullBacklogIsStillThere() throws IOException {
    Path path = folder.resolve("server.sock");
    try (ServerSocketChannel busy = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        SocketChannel one = SocketChannel.open(StandardProtocolFamily.UNIX);
        SocketChannel two = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      UnixDomainSocketAddress address = UnixDomainSocketAddress.of(path);
      busy.bind(address, 1);
      assertTrue(one.connect(address) && two.connect(address));
      ServerStartException e =
          assertThrows(ServerStartException.class, () -> builder().unix(path).start());
      assertTrue(e.getMessage().contains("another process listens there"), e::toString);
      assertTrue(Files.exists(path));
    }
  }

  @Test
  void theFileOfASuccessorIsNotRemoved() throws IOException {
    Path path = folder.resolve("server.sock");
    Server first = builder().unix(path).start();
    Files.delete(path);
    try (Server second = builder().unix(path).start()) {
      first.close();
      assertTrue(get(path).endsWith("hello"));
      assertFalse(second.isTerminated());
    }
  }

  private static String get(Path path) throws IOException {
    return exchange(path, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  }

  /** A call by the unary form of Connect. */
  private static String post(Path path, String message) throws IOException {
    String head = "POST " + EchoService.PATH + " HTTP/1.1\r\nHost: localhost\r\n";
    String fields = "Connection: close\r\nContent-Type: application/proto\r\nContent-Length: ";
    return exchange(path, head + fields + message.length() + "\r\n\r\n" + message);
  }

  // The socket's other end is the proxy, and who that runs as says nothing of the client.
  @ParameterizedTest
  @ValueSource(strings = {"TCP4 192.0.2.7 203.0.113.9 56324 443", "UNKNOWN"})
  void theUserBehindAProxyIsNotTheClient(String client) throws IOException {
    EchoService service =
        new EchoService(
            (request, context) ->
                context.peerUser().map(Principal::getName).orElse("nobody")
                    + ":"
                    + context.peerGroup().map(Principal::getName).orElse("no group"));
    Path path = folder.resolve("server.sock");
    try (Server server =
        Server.builder()
            .onTerm(false)
            .listen(ListenSocket.unix(path).withProxyProtocol())
            .add(service)
            .start()) {
      String head = "PROXY " + client + "\r\nPOST " + EchoService.PATH;
      String fields =
          " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
              + "Content-Type: application/proto\r\nContent-Length: 1\r\n\r\nx";
      String reply = exchange(path, head + fields);
      assertTrue(reply.endsWith("nobody:no group"), reply);
      assertFalse(server.isTerminated());
    }
  }

  private static String exchange(Path path, String request) throws IOException {
    try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      socket.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
      ByteBuffer reply = ByteBuffer.allocate(4096);
      while (socket.read(reply) >= 0) {
        // until the server closes
      }
      return new String(reply.array(), 0, reply.position(), StandardCharsets.US_ASCII);
    }
  }
}
