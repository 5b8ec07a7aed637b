package dev.peregrine.bench.peers;

import com.google.protobuf.ByteString;
import dev.peregrine.bench.v1.Order;
import dev.peregrine.bench.v1.Payload;
import dev.peregrine.bench.v1.Receipt;
import dev.peregrine.bench.v1.StreamsGrpc;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/** Any thread. {@code peregrine.bench.v1.Streams} on grpc-java's stubs, with back-pressure. */
final class Streams extends StreamsGrpc.StreamsImplBase {

  @Override
  public void unary(Payload request, StreamObserver<Payload> out) {
    out.onNext(request);
    out.onCompleted();
  }

  @Override
  public void download(Order order, StreamObserver<Payload> observer) {
    ServerCallStreamObserver<Payload> out = (ServerCallStreamObserver<Payload>) observer;
    Payload payload =
        Payload.newBuilder().setBody(ByteString.copyFrom(new byte[order.getSize()])).build();
    out.setOnReadyHandler(
        new Runnable() {
          private int left = order.getCount();
          private boolean completed;

          @Override
          public void run() {
            while (left > 0 && out.isReady()) {
              left--;
              out.onNext(payload);
            }
            if (left == 0 && !completed) {
              completed = true;
              out.onCompleted();
            }
          }
        });
  }

  @Override
  public StreamObserver<Payload> upload(StreamObserver<Receipt> out) {
    return new StreamObserver<>() {
      private long messages;
      private long bytes;

      @Override
      public void onNext(Payload payload) {
        messages++;
        bytes += payload.getBody().size();
      }

      @Override
      public void onError(Throwable reason) {}

      @Override
      public void onCompleted() {
        out.onNext(Receipt.newBuilder().setMessages(messages).setBytes(bytes).build());
        out.onCompleted();
      }
    };
  }

  @Override
  public StreamObserver<Payload> pingPong(StreamObserver<Payload> out) {
    return new StreamObserver<>() {
      @Override
      public void onNext(Payload payload) {
        out.onNext(payload);
      }

      @Override
      public void onError(Throwable reason) {}

      @Override
      public void onCompleted() {
        out.onCompleted();
      }
    };
  }
}
