package dev.peregrine.conformance.grpcjava;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import dev.peregrine.conformance.v1.EchoRequest;
import dev.peregrine.conformance.v1.EchoResponse;
import dev.peregrine.conformance.v1.FailRequest;
import dev.peregrine.conformance.v1.FailResponse;
import dev.peregrine.conformance.v1.MetadataRequest;
import dev.peregrine.conformance.v1.MetadataResponse;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Checks a server with grpc-java: one "ok NAME" or "not ok NAME: why" per check, then "done".
 * Arguments: host, port. Main thread.
 */
public final class Checks {

  private static final String PROBE = "peregrine.conformance.v1.Probe/";

  /** Two UTF-8 lengths, a line break and the escape character itself. */
  static final String AWKWARD_TEXT = "100% größer\nline2 🚀";

  /** Tag and length of a bytes field of 4 MiB. */
  private static final int ECHO_OVERHEAD_BYTES = 5;

  private static final int CONCURRENT_CALLS = 1000;

  private final ProbeClient client;
  private boolean failed;

  private Checks(ProbeClient client) {
    this.client = client;
  }

  /** Runs every check; the exit code is 1 when one failed. */
  public static void main(String[] args) throws Exception {
    Checks checks;
    try (ProbeClient client = new ProbeClient(args[0], Integer.parseInt(args[1]))) {
      checks = new Checks(client);
      checks.runAll();
    }
    System.out.println("done");
    System.exit(checks.failed ? 1 : 0);
  }

  private void runAll() {
    run("hello", this::hello);
    run("unknown-method", () -> expectUnknown(PROBE + "Missing"));
    run("unknown-service", () -> expectUnknown("peregrine.conformance.v1.Missing/Echo"));
    run("status-text", this::statusText);
    run("metadata", this::metadata);
    run("empty-message", this::emptyMessage);
    run("message-at-limit", this::messageAtLimit);
    run("message-over-limit", this::messageOverLimit);
    run("concurrent", this::concurrent);
    StreamChecks streams = new StreamChecks(client);
    run("download", streams::download);
    run("download-status", streams::downloadStatus);
    run("upload", streams::upload);
    run("chat", streams::chat);
    run("cancel", streams::cancel);
  }

  private void run(String name, Check check) {
    try {
      check.run();
      System.out.println("ok " + name);
    } catch (Exception e) {
      failed = true;
      System.out.println("not ok " + name + ": " + e.toString().replace('\n', ' '));
    }
  }

  private void hello() {
    var v1 =
        client.call(
            client.channel(),
            "helloworld.v1.Greeter/Hello",
            dev.peregrine.examples.helloworld.v1.HelloRequest.newBuilder()
                .setName("grpc-java")
                .build(),
            dev.peregrine.examples.helloworld.v1.HelloResponse.getDefaultInstance());
    expect(v1.getMessage().equals("Hello `grpc-java` 👋"), "Hello answered " + v1.getMessage());
    var plain =
        client.call(
            client.channel(),
            "helloworld.Greeter/SayHello",
            dev.peregrine.examples.helloworld.HelloRequest.newBuilder()
                .setName("grpc-java")
                .build(),
            dev.peregrine.examples.helloworld.HelloReply.getDefaultInstance());
    expect(plain.getMessage().equals("Hello grpc-java!"), "SayHello answered " + plain);
  }

  private void expectUnknown(String path) {
    refused(path, EchoRequest.getDefaultInstance(), Status.Code.UNIMPLEMENTED);
  }

  private void statusText() {
    FailRequest request =
        FailRequest.newBuilder()
            .setCode(Status.Code.FAILED_PRECONDITION.value())
            .setText(AWKWARD_TEXT)
            .build();
    try {
      client.call(client.channel(), PROBE + "Fail", request, FailResponse.getDefaultInstance());
      throw new AssertionException("the call did not fail");
    } catch (StatusRuntimeException e) {
      expect(e.getStatus().getCode() == Status.Code.FAILED_PRECONDITION, e.toString());
      expect(AWKWARD_TEXT.equals(e.getStatus().getDescription()), e.toString());
    }
  }

  private void metadata() {
    byte[] every = new byte[256];
    for (int i = 0; i < every.length; i++) {
      every[i] = (byte) i;
    }
    var text = Metadata.Key.of("echo-text", Metadata.ASCII_STRING_MARSHALLER);
    var bytes = Metadata.Key.of("echo-bytes-bin", Metadata.BINARY_BYTE_MARSHALLER);
    var lastText = Metadata.Key.of("echo-trailing-text", Metadata.ASCII_STRING_MARSHALLER);
    var lastBytes = Metadata.Key.of("echo-trailing-bytes-bin", Metadata.BINARY_BYTE_MARSHALLER);
    Metadata sent = new Metadata();
    sent.put(text, "one");
    sent.put(text, "two");
    sent.put(bytes, every);
    sent.put(bytes, new byte[0]);
    sent.put(lastText, "three");
    sent.put(lastBytes, Arrays.copyOf(every, 1));
    var header = new AtomicReference<Metadata>();
    var trailer = new AtomicReference<Metadata>();
    Channel via =
        ClientInterceptors.intercept(
            client.channel(),
            MetadataUtils.newAttachHeadersInterceptor(sent),
            MetadataUtils.newCaptureMetadataInterceptor(header, trailer));
    client.call(
        via,
        PROBE + "Metadata",
        MetadataRequest.getDefaultInstance(),
        MetadataResponse.getDefaultInstance());
    expectSame(header.get(), sent, text);
    expectSame(header.get(), sent, bytes);
    expectSame(trailer.get(), sent, lastText);
    expectSame(trailer.get(), sent, lastBytes);
  }

  private void emptyMessage() {
    expect(echo(ByteString.EMPTY).isEmpty(), "bytes came back");
  }

  private void messageAtLimit() {
    int limit = ProbeClient.MESSAGE_LIMIT_BYTES;
    for (int messageBytes : new int[] {300 << 10, limit - 1, limit}) {
      byte[] payload = new byte[messageBytes - ECHO_OVERHEAD_BYTES];
      for (int i = 0; i < payload.length; i++) {
        payload[i] = (byte) (i % 251);
      }
      ByteString sent = ByteString.copyFrom(payload);
      expect(echo(sent).equals(sent), "message of " + messageBytes + " bytes came back changed");
    }
  }

  private void messageOverLimit() {
    int payloadBytes = ProbeClient.MESSAGE_LIMIT_BYTES + 1 - ECHO_OVERHEAD_BYTES;
    refused(
        PROBE + "Echo",
        EchoRequest.newBuilder().setPayload(ByteString.copyFrom(new byte[payloadBytes])).build(),
        Status.Code.RESOURCE_EXHAUSTED);
    emptyMessage();
  }

  private void concurrent() throws Exception {
    List<EchoRequest> requests = new ArrayList<>();
    List<ListenableFuture<EchoResponse>> replies = new ArrayList<>();
    for (int i = 0; i < CONCURRENT_CALLS; i++) {
      byte[] payload = new byte[2 + 2 * i];
      Arrays.fill(payload, (byte) i);
      requests.add(EchoRequest.newBuilder().setPayload(ByteString.copyFrom(payload)).build());
      replies.add(client.start(PROBE + "Echo", requests.get(i), EchoResponse.getDefaultInstance()));
    }
    for (int i = 0; i < CONCURRENT_CALLS; i++) {
      expect(
          replies.get(i).get().getPayload().equals(requests.get(i).getPayload()),
          "call " + i + " came back changed");
    }
  }

  private ByteString echo(ByteString payload) {
    EchoRequest request = EchoRequest.newBuilder().setPayload(payload).build();
    return client
        .call(client.channel(), PROBE + "Echo", request, EchoResponse.getDefaultInstance())
        .getPayload();
  }

  private void refused(String path, EchoRequest request, Status.Code code) {
    try {
      client.call(client.channel(), path, request, EchoResponse.getDefaultInstance());
    } catch (StatusRuntimeException e) {
      expect(e.getStatus().getCode() == code, "wanted " + code + ", got " + e);
      return;
    }
    throw new AssertionException("wanted " + code + ", got a reply");
  }

  private static <T> void expectSame(Metadata found, Metadata sent, Metadata.Key<T> key) {
    List<Object> got = values(found, key);
    List<Object> wanted = values(sent, key);
    expect(
        Arrays.deepEquals(got.toArray(), wanted.toArray()),
        key.name() + " has " + got.size() + " values, or others than were sent");
  }

  private static <T> List<Object> values(Metadata metadata, Metadata.Key<T> key) {
    List<Object> values = new ArrayList<>();
    Iterable<T> all = metadata.getAll(key);
    if (all != null) {
      all.forEach(values::add);
    }
    return values;
  }

  static void expect(boolean condition, String text) {
    if (!condition) {
      throw new AssertionException(text);
    }
  }

  /** One thing to find out about the server. */
  private interface Check {
    void run() throws Exception;
  }

  /** A reply was not as it must be. */
  private static final class AssertionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    AssertionException(String text) {
      super(text);
    }
  }
}
