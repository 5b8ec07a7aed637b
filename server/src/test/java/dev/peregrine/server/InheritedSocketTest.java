package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A supervisor listens, and gives its socket to one server after the other. */
@Timeout(120)
class InheritedSocketTest {

  /** Runs the command that it is given twice, each time with a socket as standard input. */
  private static final String SUPERVISOR =
      "export "
          + ServerProcess.LISTEN
          + "="
          + ServerProcess.INHERITED
          + "; exec python3 -c '"
          + "import socket, subprocess, sys\n"
          + "s = socket.create_server((\"127.0.0.1\", 0))\n"
          + "for i in range(2): subprocess.call(sys.argv[1:], stdin=s)"
          + "' \"$0\" \"$@\"";

  @Test
  void callsAreFinishedAndConnectionsWaitForTheSuccessor() throws Exception {
    assumeTrue(pythonIsThere(), "needs python3 to make a process with a socket as its input");
    try (ServerProcess supervisor = new ServerProcess(SUPERVISOR)) {
      ProcessHandle first = supervisor.process.children().findFirst().orElseThrow();
      ProcessHandle second = null;
      try (RawClient client = new RawClient(supervisor.port)) {
        client.open().call(1, EchoService.PATH, "park").flush();
        supervisor.awaitLine("parked");
        first.destroy(); // SIGTERM
        assertTrue(client.read().type() == RawClient.SETTINGS);
        client.call(3, EchoService.PATH, "release").flush();
        assertEquals("park", client.response(1).message());
        assertTrue(client.closedAfterGoAway());
        first.onExit().get(20, TimeUnit.SECONDS);
        // Nobody accepts now, and nobody is turned away.
        try (RawClient early = new RawClient(supervisor.port)) {
          early.open().call(1, EchoService.PATH, "for the second").flush();
          assertEquals("for the second", early.response(1).message());
          second = supervisor.process.children().findFirst().orElseThrow();
        }
      } finally {
        first.destroyForcibly();
        if (second != null) {
          second.destroyForcibly();
        }
      }
    }
  }

  @Test
  void aStandardInputThatIsNoSocketIsOneSentence() {
    ServerStartException e =
        assertThrows(
            ServerStartException.class,
            () -> Server.builder().onTerm(false).listen(ListenSocket.inherited()).start());
    assertEquals("the standard input is no socket that listens", e.getMessage());
  }

  private static boolean pythonIsThere() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "-c", "").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
