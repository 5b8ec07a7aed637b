package dev.peregrine.bench.streaming;

import com.google.protobuf.ByteString;
import dev.peregrine.bench.v1.Order;
import dev.peregrine.bench.v1.Payload;
import dev.peregrine.bench.v1.Receipt;
import dev.peregrine.bench.v1.StreamsService;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Requests;
import dev.peregrine.rpc.Responses;

/** The service in blocking style. Any thread. */
final class Blocking implements StreamsService {

  @Override
  public Payload unary(Payload request, Context context) {
    return request;
  }

  @Override
  public void download(Order order, Responses<Payload> responses, Context context) {
    Payload payload =
        Payload.newBuilder().setBody(ByteString.copyFrom(new byte[order.getSize()])).build();
    for (int i = 0; i < order.getCount(); i++) {
      responses.send(payload);
    }
  }

  @Override
  public Receipt upload(Requests<Payload> requests, Context context) {
    long messages = 0;
    long bytes = 0;
    for (Payload payload : requests) {
      messages++;
      bytes += payload.getBody().size();
    }
    return Receipt.newBuilder().setMessages(messages).setBytes(bytes).build();
  }

  @Override
  public void pingPong(Requests<Payload> requests, Responses<Payload> responses, Context context) {
    for (Payload payload : requests) {
      responses.send(payload);
    }
  }
}
