package dev.peregrine.services;

import static io.grpc.health.v1.HealthCheckResponse.ServingStatus.NOT_SERVING;
import static io.grpc.health.v1.HealthCheckResponse.ServingStatus.SERVICE_UNKNOWN;
import static io.grpc.health.v1.HealthCheckResponse.ServingStatus.SERVING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.rpc.Execution;
import dev.peregrine.server.Server;
import dev.peregrine.services.health.v1.HealthListRequest;
import dev.peregrine.services.health.v1.HealthListResponse;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both services through a real server, asked by grpc-java, in every mode. */
@Timeout(60)
class StandardServicesTest {

  /** Where the handlers run. */
  enum Mode {
    INLINE,
    WORKERS,
    EXECUTOR,
    VIRTUAL_THREADS;

    Execution execution() {
      return switch (this) {
        case INLINE -> Execution.inline();
        case WORKERS -> Execution.workers(2);
        case EXECUTOR -> Execution.on(ForkJoinPool.commonPool());
        case VIRTUAL_THREADS -> Execution.virtualThreads();
      };
    }
  }

  static Stream<Mode> modes() {
    return Stream.of(Mode.values())
        .filter(mode -> mode != Mode.VIRTUAL_THREADS || Execution.virtualThreadsAvailable());
  }

  private Health health = new Health();
  private Server server;
  private ManagedChannel channel;

  private void start(Mode mode) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    server =
        Server.builder()
            .bind(new InetSocketAddress(loopback, 0))
            .onTerm(false)
            .execution(mode.execution())
            .add(new Zoo())
            .add(health)
            .add(new Reflection(Zoo.TRICKS))
            .start();
    channel = connect();
  }

  private ManagedChannel connect() {
    return NettyChannelBuilder.forAddress(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()))
        .usePlaintext()
        .build();
  }

  @AfterEach
  void stop() throws InterruptedException {
    channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    server.stop(Duration.ofSeconds(10));
  }

  private static HealthCheckRequest about(String service) {
    return HealthCheckRequest.newBuilder().setService(service).build();
  }

  private Told<HealthCheckResponse.ServingStatus> watch(String service) {
    Told<HealthCheckResponse.ServingStatus> told = new Told<>();
    HealthGrpc.newStub(channel).watch(about(service), told.by(HealthCheckResponse::getStatus));
    return told;
  }

  @ParameterizedTest
  @MethodSource("modes")
  void healthIsCheckedAndListed(Mode mode) {
    start(mode);
    HealthGrpc.HealthBlockingStub client = HealthGrpc.newBlockingStub(channel);
    health.set("zoo.Keeper", ServingStatus.NOT_SERVING);
    assertEquals(SERVING, client.check(about("")).getStatus());
    assertEquals(NOT_SERVING, client.check(about("zoo.Keeper")).getStatus());
    StatusRuntimeException e =
        assertThrows(StatusRuntimeException.class, () -> client.check(about("zoo.Cook")));
    assertEquals(Status.Code.NOT_FOUND, e.getStatus().getCode());
    assertEquals(2, list().getStatusesCount());
    assertEquals(
        ServingStatus.NOT_SERVING.onWire(), list().getStatusesOrThrow("zoo.Keeper").getStatus());
  }

  /** List is younger than grpc-java's stubs. */
  private HealthListResponse list() {
    MethodDescriptor<HealthListRequest, HealthListResponse> method =
        MethodDescriptor.newBuilder(
                ProtoUtils.marshaller(HealthListRequest.getDefaultInstance()),
                ProtoUtils.marshaller(HealthListResponse.getDefaultInstance()))
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("grpc.health.v1.Health/List")
            .build();
    return ClientCalls.blockingUnaryCall(
        channel, method, CallOptions.DEFAULT, HealthListRequest.getDefaultInstance());
  }

  @ParameterizedTest
  @MethodSource("modes")
  void aWatchIsToldWhatIsSetByOtherThreads(Mode mode) throws Exception {
    start(mode);
    Told<HealthCheckResponse.ServingStatus> told = watch("zoo.Keeper");
    assertEquals(SERVICE_UNKNOWN, told.next());
    health.set("zoo.Keeper", ServingStatus.SERVING);
    assertEquals(SERVING, told.next());
    health.set("zoo.Keeper", ServingStatus.NOT_SERVING);
    assertEquals(NOT_SERVING, told.next());
    health.clear("zoo.Keeper");
    assertEquals(SERVICE_UNKNOWN, told.next());
  }

  // P74: health says NOT_SERVING first, then the server drains, and no Watch holds it up.
  @ParameterizedTest
  @MethodSource("modes")
  void aDrainIsToldToAWatchBeforeItsConnectionCloses(Mode mode) throws Exception {
    start(mode);
    Told<HealthCheckResponse.ServingStatus> told = watch("");
    assertEquals(SERVING, told.next());
    long begin = System.nanoTime();
    server.stop(Duration.ofSeconds(50));
    assertTrue(System.nanoTime() - begin < Duration.ofSeconds(25).toNanos(), "held up");
    assertEquals(NOT_SERVING, told.next());
    Status end = told.end();
    assertEquals(Status.Code.UNAVAILABLE, end.getCode());
    // The server's own text: the stream was ended in order, not cut with its connection.
    assertEquals("the server is shutting down", end.getDescription());
  }

  // P74: for those who poll, the server says NOT_SERVING and still serves.
  @ParameterizedTest
  @MethodSource("modes")
  void duringTheDrainDelayEverythingIsServed(Mode mode) throws Exception {
    health = new Health(Duration.ofHours(1));
    start(mode);
    Told<HealthCheckResponse.ServingStatus> told = watch("");
    assertEquals(SERVING, told.next());
    Thread stopping = new Thread(() -> server.stop(Duration.ofSeconds(10)));
    stopping.start();
    assertEquals(NOT_SERVING, told.next());
    ManagedChannel newcomer = connect();
    assertEquals(NOT_SERVING, HealthGrpc.newBlockingStub(newcomer).check(about("")).getStatus());
    newcomer.shutdownNow();
    stopping.interrupt();
    stopping.join();
    assertEquals(Status.Code.UNAVAILABLE, told.end().getCode());
    assertTrue(server.isTerminated());
  }

  @ParameterizedTest
  @MethodSource("modes")
  void watchesThatClientsCancelLeaveNothingBehind(Mode mode) throws Exception {
    start(mode);
    for (int i = 0; i < 50; i++) {
      Told<HealthCheckResponse.ServingStatus> told = watch("");
      assertEquals(SERVING, told.next());
      told.cancel();
      assertEquals(Status.Code.CANCELLED, told.end().getCode());
    }
    while (health.watches() > 0) { // ends with the time-out of the test
      Thread.onSpinWait();
    }
    assertEquals(SERVING, HealthGrpc.newBlockingStub(channel).check(about("")).getStatus());
  }

  @ParameterizedTest
  @MethodSource("modes")
  void reflectionAnswersEachQuestionInOrder(Mode mode) throws Exception {
    start(mode);
    Told<ServerReflectionResponse> told = new Told<>();
    StreamObserver<ServerReflectionRequest> questions =
        ServerReflectionGrpc.newStub(channel).serverReflectionInfo(told.by(answer -> answer));
    int rounds = 200;
    for (int i = 0; i < rounds; i++) {
      questions.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
      questions.onNext(
          ServerReflectionRequest.newBuilder().setFileContainingSymbol("zoo.Keeper").build());
      questions.onNext(
          ServerReflectionRequest.newBuilder().setFileContainingSymbol("zoo.Nobody").build());
    }
    questions.onCompleted();
    for (int i = 0; i < rounds; i++) {
      List<String> names =
          told.next().getListServicesResponse().getServiceList().stream()
              .map(ServiceResponse::getName)
              .toList();
      assertEquals(
          List.of(
              "grpc.health.v1.Health",
              "grpc.reflection.v1.ServerReflection",
              "grpc.reflection.v1alpha.ServerReflection",
              "zoo.Keeper"),
          names);
      assertEquals(
          i == 0 ? 4 : 1, told.next().getFileDescriptorResponse().getFileDescriptorProtoCount());
      assertEquals(5, told.next().getErrorResponse().getErrorCode());
    }
    assertTrue(told.end().isOk());
  }

  @ParameterizedTest
  @MethodSource("modes")
  void reflectionAnswersByItsOlderName(Mode mode) throws Exception {
    start(mode);
    Told<Integer> told = new Told<>();
    var questions =
        io.grpc.reflection.v1alpha.ServerReflectionGrpc.newStub(channel)
            .serverReflectionInfo(
                told.by(answer -> answer.getListServicesResponse().getServiceCount()));
    questions.onNext(
        io.grpc.reflection.v1alpha.ServerReflectionRequest.newBuilder()
            .setListServices("")
            .build());
    assertEquals(4, told.next());
    questions.onCompleted();
    assertTrue(told.end().isOk());
  }
}
