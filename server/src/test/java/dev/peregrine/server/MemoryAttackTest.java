package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.server.TestCertificates.Made;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Peers that ask for more than a server's heap and read nothing, while others are served: against a
 * process with 256 MiB, over real sockets.
 */
@Timeout(120)
class MemoryAttackTest {

  /** SETTINGS_INITIAL_WINDOW_SIZE = 0: the server may send no content at all. */
  private static final byte[] NO_WINDOW = {0, 4, 0, 0, 0, 0};

  private static final int WINDOW_UPDATE = 8;

  /** What brings the window of a connection from 65,535 bytes to the largest, for all replies. */
  private static final byte[] ALL_WINDOW = {0x7f, (byte) 0xff, 0, 0};

  private static final byte[] BLOB_REQUEST =
      "GET /blob HTTP/1.1\r\nhost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final int CALLS = 100;

  @TempDir static Path folder;

  private static MemoryVictim victim;
  private static Made certificate;

  @BeforeAll
  static void start() throws Exception {
    certificate = new TestCertificates(folder).make("victim", "EC", "dns:localhost");
    victim =
        new MemoryVictim(
            certificate.writeChain(folder.resolve("chain.pem")),
            certificate.writeKey(folder.resolve("key.pem")));
  }

  @AfterAll
  static void stop() {
    victim.close();
  }

  /** A client that calls one after the other, from which nothing may fail. */
  private static final class Healthy implements AutoCloseable {
    private final RawClient client = new RawClient(victim.port).open();
    private int streamId = 1;

    Healthy() throws IOException {
      client.frame(WINDOW_UPDATE, 0, 0, ALL_WINDOW);
    }

    void calls(int count) throws IOException {
      for (int i = 0; i < count; i++) {
        client.call(streamId, EchoService.PATH, "hello").flush();
        RawClient.Response response = client.response(streamId);
        assertEquals("0", response.grpcStatus());
        assertEquals("hello", response.message());
        streamId += 2;
      }
    }

    @Override
    public void close() throws IOException {
      client.close();
    }
  }

  private static void assertRecovered() throws Exception {
    HttpClient http = HttpClient.newHttpClient();
    URI uri = URI.create("http://localhost:" + victim.port + "/used");
    long usedMib = Long.MAX_VALUE;
    long endNanos = System.nanoTime() + 30_000_000_000L;
    while (usedMib > MemoryVictim.HEAP_MIB / 8 && System.nanoTime() < endNanos) {
      String text =
          http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      usedMib = Long.parseLong(text);
    }
    assertTrue(usedMib <= MemoryVictim.HEAP_MIB / 8, usedMib + " MiB are still in use");
    assertTrue(victim.process.isAlive());
    assertTrue(
        victim.log().noneMatch(line -> line.contains("OutOfMemory")),
        () -> String.join("\n", victim.log().toList()));
  }

  private static RawClient askForBlobs(Socket socket) throws IOException {
    return askForBlobs(socket, EchoService.PATH);
  }

  private static RawClient askForBlobs(Socket socket, String path) throws IOException {
    RawClient client = new RawClient(socket);
    client.open().frame(RawClient.SETTINGS, 0, 0, NO_WINDOW);
    for (int call = 0; call < CALLS; call++) {
      client.call(2 * call + 1, path, "blob");
    }
    return client.flush();
  }

  @Test
  void callsWithoutWindowCostTheirOwnConnectionsAlone() throws Exception {
    try (Healthy healthy = new Healthy()) {
      healthy.calls(10);
      List<RawClient> attackers = new ArrayList<>();
      for (int wave = 0; wave < 3; wave++) {
        for (int i = 0; i < 20; i++) {
          attackers.add(askForBlobs(new Socket(InetAddress.getLoopbackAddress(), victim.port)));
          healthy.calls(5);
        }
      }
      healthy.calls(200);
      assertTrue(victim.log().anyMatch(line -> line.contains("limit QUEUED_BYTES stopped")));
      for (RawClient attacker : attackers) {
        attacker.close();
      }
    }
    assertRecovered();
  }

  // All calls are admitted before the first reply is made, and eight threads make replies.
  @Test
  void repliesOnTheirWayFromWorkersAreCounted() throws Exception {
    List<RawClient> attackers = new ArrayList<>();
    try (Healthy healthy = new Healthy()) {
      for (int i = 0; i < 40; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), victim.port);
        attackers.add(askForBlobs(socket, MemoryVictim.WORKERS_PATH));
      }
      healthy.calls(500);
    } finally {
      for (RawClient attacker : attackers) {
        attacker.close();
      }
    }
    assertRecovered();
  }

  @Test
  void responsesOverHttp1WhichNobodyReadsCostTheirOwnConnectionsAlone() throws Exception {
    List<SocketChannel> attackers = new ArrayList<>();
    try (Healthy healthy = new Healthy()) {
      for (int i = 0; i < 500; i++) {
        SocketChannel attacker = SocketChannel.open();
        attackers.add(attacker);
        attacker.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
        attacker.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), victim.port));
        attacker.write(ByteBuffer.wrap(BLOB_REQUEST));
        if (i % 10 == 0) {
          healthy.calls(1);
        }
      }
      healthy.calls(200);
    } finally {
      for (SocketChannel attacker : attackers) {
        attacker.close();
      }
    }
    assertRecovered();
  }

  @Test
  void responsesOverTlsWhichNobodyReadsCostTheirOwnConnectionsAlone() throws Exception {
    SSLContext context = TestCertificates.client(null, certificate.certificate());
    List<Socket> attackers = new ArrayList<>();
    try (Healthy healthy = new Healthy()) {
      for (int i = 0; i < 100; i++) {
        Socket plain = new Socket();
        plain.setReceiveBufferSize(4096);
        plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), victim.tlsPort));
        attackers.add(plain);
        Socket attacker =
            context.getSocketFactory().createSocket(plain, "localhost", victim.tlsPort, true);
        attacker.getOutputStream().write(BLOB_REQUEST);
        healthy.calls(1);
      }
      healthy.calls(200);
    } finally {
      for (Socket attacker : attackers) {
        attacker.close();
      }
    }
    assertRecovered();
  }

  @Test
  void whoReadsSlowlyButSteadilyGetsEverythingWhileOthersAttack() throws Exception {
    try (Healthy healthy = new Healthy();
        Socket slow = new Socket()) {
      slow.setReceiveBufferSize(32 * 1024);
      slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), victim.port));
      slow.getOutputStream().write(BLOB_REQUEST);
      CompletableFuture<Long> read = CompletableFuture.supplyAsync(() -> readSlowly(slow));
      List<RawClient> attackers = new ArrayList<>();
      while (!read.isDone()) {
        attackers.add(askForBlobs(new Socket(InetAddress.getLoopbackAddress(), victim.port)));
        healthy.calls(20);
      }
      assertTrue(read.get() >= MemoryVictim.BLOB_BYTES, read.get() + " bytes were read");
      for (RawClient attacker : attackers) {
        attacker.close();
      }
    }
    assertRecovered();
  }

  /** A few KiB at a time with pauses: some 200 KiB a second. */
  private static long readSlowly(Socket socket) {
    try {
      InputStream in = socket.getInputStream();
      byte[] some = new byte[4096];
      long total = 0;
      int length = 0;
      while (length >= 0 && total < MemoryVictim.BLOB_BYTES) {
        total += length;
        Thread.sleep(20); // this is the reader's slowness, nothing waits for it
        length = in.read(some);
      }
      return total;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
