package dev.peregrine.conformance.grpcjava;

import static dev.peregrine.conformance.grpcjava.Checks.expect;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.peregrine.conformance.v1.DownloadRequest;
import dev.peregrine.conformance.v1.EchoRequest;
import dev.peregrine.conformance.v1.EchoResponse;
import dev.peregrine.conformance.v1.Item;
import dev.peregrine.conformance.v1.UploadResponse;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.util.Iterator;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The streaming half of {@link Checks}. Main thread. */
final class StreamChecks {

  private static final String STREAMS = "peregrine.conformance.v1.Streams/";
  private static final int ITEMS = 500;
  private static final int ITEM_PAYLOAD_BYTES = 10_000;

  /** More than anybody waits for: only a cancel ends it. */
  private static final int ENDLESS_ITEMS = 1 << 30;

  private static final int WAIT_SECONDS = 30;

  private final ProbeClient client;

  StreamChecks(ProbeClient client) {
    this.client = client;
  }

  void download() {
    Iterator<Item> found =
        startDownload(
            DownloadRequest.newBuilder()
                .setItems(ITEMS)
                .setPayloadBytes(ITEM_PAYLOAD_BYTES)
                .build());
    for (int i = 0; i < ITEMS; i++) {
      expectItem(found.next(), i, ITEM_PAYLOAD_BYTES);
    }
    expect(!found.hasNext(), "an item after the last one");
  }

  void downloadStatus() {
    Iterator<Item> found =
        startDownload(
            DownloadRequest.newBuilder()
                .setItems(5)
                .setCode(Status.Code.FAILED_PRECONDITION.value())
                .setText(Checks.AWKWARD_TEXT)
                .build());
    for (int i = 0; i < 5; i++) {
      expectItem(found.next(), i, 0);
    }
    Status status = failure(found);
    expect(status.getCode() == Status.Code.FAILED_PRECONDITION, status.toString());
    expect(Checks.AWKWARD_TEXT.equals(status.getDescription()), status.toString());
  }

  void upload() throws InterruptedException {
    Answers<UploadResponse> answers = new Answers<>();
    StreamObserver<Item> requests =
        cast(
            ClientCalls.asyncClientStreamingCall(
                client.open(
                    MethodType.CLIENT_STREAMING,
                    STREAMS + "Upload",
                    UploadResponse.getDefaultInstance()),
                answers));
    for (int i = 0; i < ITEMS; i++) {
      requests.onNext(item(i, ITEM_PAYLOAD_BYTES));
    }
    requests.onCompleted();
    UploadResponse sum = answers.next();
    expect(sum.getItems() == ITEMS, sum.getItems() + " items arrived");
    expect(
        sum.getPayloadBytes() == (long) ITEMS * ITEM_PAYLOAD_BYTES,
        sum.getPayloadBytes() + " bytes arrived");
    expect(answers.end().isOk(), "no OK at the end");
  }

  void chat() throws InterruptedException {
    Answers<Item> answers = new Answers<>();
    StreamObserver<Item> requests =
        cast(
            ClientCalls.asyncBidiStreamingCall(
                client.open(MethodType.BIDI_STREAMING, STREAMS + "Chat", Item.getDefaultInstance()),
                answers));
    for (int i = 0; i < ITEMS; i++) {
      requests.onNext(item(i, i));
      expectItem(answers.next(), i, i);
    }
    requests.onCompleted();
    expect(answers.end().isOk(), "no OK at the end");
  }

  void cancel() throws InterruptedException {
    Answers<Item> answers = new Answers<>();
    ClientCalls.asyncServerStreamingCall(
        client.open(MethodType.SERVER_STREAMING, STREAMS + "Download", Item.getDefaultInstance()),
        DownloadRequest.newBuilder().setItems(ENDLESS_ITEMS).build(),
        answers);
    for (int i = 0; i < 10; i++) {
      expectItem(answers.next(), i, 0);
    }
    answers.call.cancel("enough", null);
    Status end = answers.end();
    expect(end.getCode() == Status.Code.CANCELLED, end.toString());
    EchoResponse reply =
        client.call(
            client.channel(),
            "peregrine.conformance.v1.Probe/Echo",
            EchoRequest.getDefaultInstance(),
            EchoResponse.getDefaultInstance());
    expect(reply.getPayload().isEmpty(), "bytes came back");
  }

  private Iterator<Item> startDownload(DownloadRequest request) {
    return ClientCalls.blockingServerStreamingCall(
        client.open(MethodType.SERVER_STREAMING, STREAMS + "Download", Item.getDefaultInstance()),
        request);
  }

  private static Status failure(Iterator<Item> items) {
    try {
      items.next();
      return Status.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }

  private static Item item(int number, int payloadBytes) {
    return Item.newBuilder()
        .setNumber(number)
        .setPayload(ByteString.copyFrom(new byte[payloadBytes]))
        .build();
  }

  private static void expectItem(Item item, int number, int payloadBytes) {
    expect(
        item.getNumber() == number && item.getPayload().size() == payloadBytes,
        "item " + item.getNumber() + " of " + item.getPayload().size() + " bytes, not " + number);
  }

  /** The client sends messages of any type; here they are items. */
  @SuppressWarnings("unchecked")
  private static StreamObserver<Item> cast(StreamObserver<?> requests) {
    return (StreamObserver<Item>) requests;
  }

  /** What comes back on one call. Filled by the client's threads, read by the main thread. */
  private static final class Answers<R>
      implements ClientResponseObserver<MessageLite, R> {

    private final BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
    private ClientCallStreamObserver<MessageLite> call;

    @Override
    public void beforeStart(ClientCallStreamObserver<MessageLite> stream) {
      call = stream;
    }

    @Override
    public void onNext(R value) {
      queue.add(value);
    }

    @Override
    public void onError(Throwable fault) {
      queue.add(Status.fromThrowable(fault));
    }

    @Override
    public void onCompleted() {
      queue.add(Status.OK);
    }

    /** The next message. */
    @SuppressWarnings("unchecked") // what is no status is a message
    R next() throws InterruptedException {
      Object next = queue.poll(WAIT_SECONDS, TimeUnit.SECONDS);
      expect(next != null && !(next instanceof Status), "wanted a message, got " + next);
      return (R) next;
    }

    /** The status, after whatever messages are left. */
    Status end() throws InterruptedException {
      Object next;
      do {
        next = queue.poll(WAIT_SECONDS, TimeUnit.SECONDS);
        expect(next != null, "no end");
      } while (!(next instanceof Status));
      return (Status) next;
    }
  }
}
