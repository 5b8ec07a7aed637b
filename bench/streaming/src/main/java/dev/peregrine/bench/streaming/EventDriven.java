package dev.peregrine.bench.streaming;

import com.google.protobuf.ByteString;
import dev.peregrine.bench.v1.Order;
import dev.peregrine.bench.v1.Payload;
import dev.peregrine.bench.v1.Receipt;
import dev.peregrine.bench.v1.StreamsService;
import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;

/** The service in event-driven style: never blocks, so it may run inline. Any thread. */
final class EventDriven implements Service {

  @Override
  public ServiceDefinition definition() {
    return new StreamsService() {}.definition()
        .unary(StreamsService.UNARY, (request, context) -> request)
        .eventDriven(StreamsService.DOWNLOAD, Download::new)
        .eventDriven(StreamsService.UPLOAD, Upload::new)
        .eventDriven(StreamsService.PING_PONG, PingPong::new);
  }

  /** Sends as long as the client keeps up. Told one thing at a time. */
  private static final class Download implements CallListener<Order> {
    private final Call<Payload> call;
    private Payload payload;
    private int left;

    Download(Call<Payload> call) {
      this.call = call;
    }

    @Override
    public void onMessage(Order order) {
      payload =
          Payload.newBuilder().setBody(ByteString.copyFrom(new byte[order.getSize()])).build();
      left = order.getCount();
      onReady();
    }

    @Override
    public void onReady() {
      while (left > 0 && call.ready()) {
        left--;
        call.send(payload);
      }
      if (left == 0) {
        call.close(Status.OK);
      }
    }
  }

  /** Counts. Told one thing at a time. */
  private static final class Upload implements CallListener<Payload> {
    private final Call<Receipt> call;
    private long messages;
    private long bytes;

    Upload(Call<Receipt> call) {
      this.call = call;
    }

    @Override
    public void onMessage(Payload payload) {
      messages++;
      bytes += payload.getBody().size();
      call.request(1);
    }

    @Override
    public void onHalfClose() {
      call.send(Receipt.newBuilder().setMessages(messages).setBytes(bytes).build());
      call.close(Status.OK);
    }
  }

  /** Echoes. Told one thing at a time. */
  private static final class PingPong implements CallListener<Payload> {
    private final Call<Payload> call;

    PingPong(Call<Payload> call) {
      this.call = call;
    }

    @Override
    public void onMessage(Payload payload) {
      call.send(payload);
      call.request(1);
    }

    @Override
    public void onHalfClose() {
      call.close(Status.OK);
    }
  }
}
