package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Execution;
import dev.peregrine.rpc.Limits;
import dev.peregrine.rpc.ServerLifecycle;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ServerTest {

  private static final int TIMEOUT_SECONDS = 20;

  private static ServerBuilder loopback() {
    return Server.builder()
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .onTerm(false)
        .loops(1)
        .grace(Duration.ofSeconds(TIMEOUT_SECONDS));
  }

  static List<Execution> executions() {
    List<Execution> all = new ArrayList<>();
    all.add(Execution.inline());
    all.add(Execution.workers(1));
    all.add(Execution.workers(4));
    all.add(Execution.on(Runnable::run));
    if (Execution.virtualThreadsAvailable()) {
      all.add(Execution.virtualThreads());
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("executions")
  void answersManyCallsOnManyConnectionsEachWithItsOwnReply(Execution execution) throws Exception {
    int connections = 5;
    int calls = 200;
    try (Server server = loopback().loops(2).add(new EchoService(), execution).start()) {
      List<RawClient> clients = new ArrayList<>();
      for (int c = 0; c < connections; c++) {
        RawClient client = new RawClient(server.port()).open();
        for (int i = 0; i < calls; i++) {
          client.call(2 * i + 1, EchoService.PATH, "call " + i + " of client " + c);
        }
        clients.add(client.flush());
      }
      for (int c = 0; c < connections; c++) {
        for (int i = 0; i < calls; i++) {
          RawClient.Response response = clients.get(c).response(2 * i + 1);
          assertEquals("200", response.status());
          assertEquals("call " + i + " of client " + c, response.message());
          assertEquals("0", response.grpcStatus());
        }
        clients.get(c).close();
      }
    }
  }

  @Test
  void handlerThatBlocksDoesNotHoldBackItsNeighbours() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    Service service =
        new EchoService(
            (request, context) -> {
              if (request.equals("wait")) {
                first.await();
              }
              return request;
            });
    try (Server server = loopback().add(service, Execution.workers(2)).start();
        RawClient client = new RawClient(server.port())) {
      client.open().call(1, EchoService.PATH, "wait");
      for (int i = 1; i < 50; i++) {
        client.call(2 * i + 1, EchoService.PATH, "go");
      }
      client.flush();
      for (int i = 1; i < 50; i++) {
        assertEquals("go", client.response(2 * i + 1).message());
      }
      first.countDown();
      assertEquals("wait", client.response(1).message());
    }
  }

  @Test
  void listensOnSeveralAddressesAndTellsTheirPorts() throws Exception {
    try (Server server =
        loopback()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .loops(2)
            .add(new EchoService(), Execution.inline())
            .start()) {
      assertEquals(2, server.addresses().size());
      assertEquals(server.port(), server.addresses().get(0).getPort());
      for (InetSocketAddress address : server.addresses()) {
        assertTrue(address.getPort() > 0);
        try (RawClient client = new RawClient(address.getPort())) {
          client.open().call(1, EchoService.PATH, "hello").flush();
          assertEquals("hello", client.response(1).message());
        }
      }
    }
  }

  @Test
  void closingEndsIdleConnectionsWithinASecond() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    Server server = loopback().loops(2).add(new EchoService(), Execution.inline()).start();
    for (int i = 0; i < 100; i++) {
      RawClient client = new RawClient(server.port()).open().call(1, EchoService.PATH, "x");
      clients.add(client.flush());
      assertEquals("x", client.response(1).message());
    }
    assertEquals(100, server.connections());
    long begin = System.nanoTime();
    server.close();
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    assertTrue(millis < 1000, "took " + millis + " ms");
    assertTrue(server.isTerminated());
    for (RawClient client : clients) {
      assertTrue(client.closedAfterGoAway());
      client.close();
    }
    server.awaitTermination();
  }

  @Test
  void stoppingFinishesTheCallsItHasAndAcceptsNoConnection() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Service service =
        new EchoService(
            (request, context) -> {
              running.countDown();
              release.await();
              return request;
            });
    Server server = loopback().add(service, Execution.workers(1)).start();
    try (RawClient client = new RawClient(server.port())) {
      client.open().call(1, EchoService.PATH, "busy").flush();
      assertTrue(running.await(TIMEOUT_SECONDS, TimeUnit.SECONDS));
      CompletableFuture<Void> stopped = CompletableFuture.runAsync(server::close);
      RawClient.Frame frame = client.read();
      while (frame.type() != RawClient.GOAWAY) {
        frame = client.read();
      }
      assertThrows(IOException.class, () -> new RawClient(server.port()));
      assertFalse(stopped.isDone());
      release.countDown();
      assertEquals("busy", client.response(1).message());
      assertTrue(client.closedAfterGoAway());
      stopped.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Test
  void graceThatIsOverCutsCallsOff() throws Exception {
    CountDownLatch cancelled = new CountDownLatch(1);
    CountDownLatch running = new CountDownLatch(1);
    Service service =
        new EchoService(
            (request, context) -> {
              context.onCancel(cancelled::countDown);
              running.countDown();
              cancelled.await();
              return request;
            });
    Server server = loopback().add(service, Execution.workers(1)).start();
    try (RawClient client = new RawClient(server.port())) {
      client.open().call(1, EchoService.PATH, "stuck").flush();
      assertTrue(running.await(TIMEOUT_SECONDS, TimeUnit.SECONDS));
      server.stop(Duration.ofMillis(20));
      assertTrue(server.isTerminated());
      assertTrue(cancelled.await(TIMEOUT_SECONDS, TimeUnit.SECONDS));
      assertThrows(IOException.class, () -> client.response(1));
    }
  }

  /** A server that is in its delay before the drain, told to stop by a thread of its own. */
  private static CompletableFuture<Void> stopDelayed(Server server, CountDownLatch told)
      throws InterruptedException {
    CompletableFuture<Void> first =
        CompletableFuture.runAsync(() -> server.stop(Duration.ofSeconds(TIMEOUT_SECONDS)));
    assertTrue(told.await(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    return first;
  }

  @Test
  void whoIsImpatientEndsTheDelayAndClientsAreToldToGo() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    Server server = loopback().add(new Told(told)).drainDelay(Duration.ofHours(1)).start();
    try (RawClient client = new RawClient(server.port())) {
      client.open().call(1, EchoService.PATH, "before").flush();
      assertEquals("before", client.response(1).message());
      CompletableFuture<Void> first = stopDelayed(server, told);
      client.call(3, EchoService.PATH, "in the delay").flush();
      assertEquals("in the delay", client.response(3).message());
      server.stop(Duration.ofMillis(500));
      assertTrue(client.closedAfterGoAway(), "cut off without a word");
      first.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      assertTrue(server.isTerminated());
    }
  }

  @Test
  void whoIsPatientWaitsForTheDelay() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    Server server = loopback().add(new Told(told)).drainDelay(Duration.ofMillis(300)).start();
    try (RawClient client = new RawClient(server.port())) {
      client.open().call(1, EchoService.PATH, "before").flush();
      assertEquals("before", client.response(1).message());
      CompletableFuture<Void> first = stopDelayed(server, told);
      server.close();
      assertTrue(client.closedAfterGoAway(), "cut off without a word");
      first.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Test
  void aServiceThatIsSlowToHearOfItKeepsNobodyFromStopping() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch heard = new CountDownLatch(1);
    ServerLifecycle slow =
        new ServerLifecycle() {
          @Override
          public void onDrain() {
            told.countDown();
            while (heard.getCount() > 0) {
              try {
                heard.await();
              } catch (InterruptedException e) {
                // It does not listen.
              }
            }
          }
        };
    Server server = loopback().add(new Slow(slow)).start();
    try (RawClient client = new RawClient(server.port())) {
      client.open().call(1, EchoService.PATH, "before").flush();
      assertEquals("before", client.response(1).message());
      CompletableFuture<Void> first = stopDelayed(server, told);
      server.stop(Duration.ofMillis(500));
      assertTrue(server.isTerminated());
      assertTrue(client.closedAfterGoAway(), "cut off without a word");
      heard.countDown();
      first.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Hears of the drain as slowly as it is told to. */
  private record Slow(ServerLifecycle lifecycle) implements Service, ServerLifecycle {
    @Override
    public ServiceDefinition definition() {
      return new EchoService().definition();
    }

    @Override
    public void onDrain() {
      lifecycle.onDrain();
    }
  }

  /** Says when the server has said that it is going to drain. */
  private record Told(CountDownLatch told) implements Service, ServerLifecycle {
    @Override
    public ServiceDefinition definition() {
      return new EchoService().definition();
    }

    @Override
    public void onDrain() {
      told.countDown();
    }
  }

  @Test
  void handlerOnTheLoopMayStopTheServer() throws Exception {
    CompletableFuture<Server> self = new CompletableFuture<>();
    Service service =
        new EchoService(
            (request, context) -> {
              self.join().stop(Duration.ofSeconds(TIMEOUT_SECONDS));
              return request;
            });
    Server server = loopback().add(service, Execution.inline()).start();
    self.complete(server);
    try (RawClient client = new RawClient(server.port())) {
      client.open().call(1, EchoService.PATH, "stop").flush();
      assertEquals("stop", client.response(1).message());
      server.awaitTermination();
      assertTrue(server.isTerminated());
    }
  }

  @Test
  void portThatIsTakenIsOneSentenceWithOneLoopAndWithSeveral() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InetSocketAddress taken =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), other.getLocalPort());
      for (int loops = 1; loops <= 2; loops++) {
        ServerBuilder builder = Server.builder().bind(taken).loops(loops).onTerm(false);
        ServerStartException e = assertThrows(ServerStartException.class, builder::start);
        assertEquals(
            "port " + taken.getPort() + " on 127.0.0.1 is taken by another process",
            e.getMessage());
      }
    }
  }

  @Test
  void portOfAServerWithSeveralLoopsIsTakenForASecondOne() throws Exception {
    try (Server server = loopback().loops(2).add(new EchoService(), Execution.inline()).start()) {
      ServerBuilder second =
          Server.builder().bind(server.addresses().get(0)).loops(2).onTerm(false);
      ServerStartException e = assertThrows(ServerStartException.class, second::start);
      assertTrue(e.getMessage().contains("taken"), e.getMessage());
    }
  }

  @Test
  void successorTakesThePortWhileTheServerDrains() throws Exception {
    try (Server old =
            loopback().reusePort(true).add(new EchoService(), Execution.inline()).start();
        RawClient client = new RawClient(old.port())) {
      client.open().call(1, EchoService.PATH, "old").flush();
      assertEquals("old", client.response(1).message());
      EchoService upper = new EchoService((request, context) -> request + " by the new one");
      try (Server successor =
          Server.builder()
              .bind(old.addresses().get(0))
              .reusePort(true)
              .onTerm(false)
              .add(upper, Execution.inline())
              .start()) {
        old.stop(Duration.ofSeconds(TIMEOUT_SECONDS));
        assertTrue(client.closedAfterGoAway());
        try (RawClient next = new RawClient(successor.port())) {
          next.open().call(1, EchoService.PATH, "served").flush();
          assertEquals("served by the new one", next.response(1).message());
        }
      }
    }
  }

  @Test
  void hostThatIsNotKnownAndAddressThatIsNotOursAreOneSentence() {
    ServerBuilder unknown =
        Server.builder().bind(InetSocketAddress.createUnresolved("no.such.host", 80));
    assertEquals(
        "host no.such.host is not known, so it cannot be listened on",
        assertThrows(ServerStartException.class, unknown::start).getMessage());
    // 192.0.2.0/24 is for documentation (RFC 5737): no machine has it.
    ServerBuilder foreign = Server.builder().bind(new InetSocketAddress("192.0.2.1", 0));
    assertEquals(
        "no interface of this machine has the address 192.0.2.1",
        assertThrows(ServerStartException.class, foreign::start).getMessage());
  }

  @Test
  void configurationThatMakesNoSenseIsOneSentence() {
    assertEquals("no port: call port(int) or bind(address) first", refused(Server.builder()));
    assertEquals(
        "service echo.Echo was added twice",
        refused(loopback().add(new EchoService()).add(new EchoService())));
    Service streaming =
        () ->
            ServiceDefinition.of("echo.Echo")
                .bidiStreaming(EchoService.BIDI, (requests, responses, context) -> {});
    String text = refused(loopback().add(streaming, Execution.inline()));
    assertTrue(text.startsWith("echo.Echo/Bidi is a blocking streaming handler"), text);
    assertThrows(IllegalArgumentException.class, () -> Server.builder().loops(0));
    assertThrows(
        IllegalArgumentException.class, () -> Server.builder().spin(Duration.ofSeconds(2)));
    assertThrows(IllegalArgumentException.class, () -> Server.builder().port(70_000));
  }

  private static String refused(ServerBuilder builder) {
    return assertThrows(IllegalArgumentException.class, builder::start).getMessage();
  }

  @Test
  void endpointsAnswerPlainHttpBesideTheCalls() throws Exception {
    HttpEndpoint echo =
        request ->
            HttpResponse.of(
                    201, "text/plain", (request.query() + ":").getBytes(StandardCharsets.UTF_8))
                .withHeader("X-Method", request.method())
                .withHeader("x-length", Integer.toString(request.body().length));
    HttpEndpoint broken =
        request -> {
          throw new IOException("a secret");
        };
    try (Server server =
            loopback()
                .add(new EchoService(), Execution.inline())
                .http("/echo", echo)
                .http("/broken", broken)
                .httpFallback(request -> HttpResponse.text(200, request.path()))
                .start();
        RawClient client = new RawClient(server.port())) {
      client.open().head(1, "POST", "/echo?a=1", "text/plain", false);
      client.frame(RawClient.DATA, 0, 1, new byte[1000]);
      client.frame(RawClient.DATA, RawClient.END_STREAM, 1, new byte[500]);
      client.head(3, "GET", "/broken", null, true);
      client.head(5, "GET", "/anything/else", null, true);
      client.head(7, "HEAD", "/echo?b", null, true);
      client.call(9, EchoService.PATH, "a call").flush();
      RawClient.Response posted = client.response(1);
      assertEquals("201", posted.status());
      assertEquals("a=1:", posted.text());
      assertEquals("POST", posted.head().get("x-method"));
      assertEquals("1500", posted.head().get("x-length"));
      assertEquals("500", client.response(3).status());
      assertEquals("/anything/else", client.response(5).text());
      RawClient.Response head = client.response(7);
      assertEquals("2", head.head().get("content-length"));
      assertEquals("", head.text());
      assertEquals("a call", client.response(9).message());
    }
  }

  @Test
  void bodyOverTheLimitIsRefusedAndTheConnectionGoesOn() throws Exception {
    try (Server server =
            loopback()
                .limits(Limits.DEFAULTS.withMaxRequestBytes(1000))
                .http("/x", request -> HttpResponse.text(200, "fine"))
                .start();
        RawClient client = new RawClient(server.port())) {
      client.open().head(1, "POST", "/x", null, false);
      client.frame(RawClient.DATA, RawClient.END_STREAM, 1, new byte[1001]);
      client.head(3, "POST", "/x", null, false);
      client.frame(RawClient.DATA, RawClient.END_STREAM, 3, new byte[1000]).flush();
      assertEquals("413", client.response(1).status());
      assertEquals("fine", client.response(3).text());
    }
  }
}
