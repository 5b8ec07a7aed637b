package dev.peregrine.conformance;

import com.google.protobuf.ByteString;
import dev.peregrine.conformance.v1.DownloadRequest;
import dev.peregrine.conformance.v1.Item;
import dev.peregrine.conformance.v1.StreamsService;
import dev.peregrine.conformance.v1.UploadResponse;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Requests;
import dev.peregrine.rpc.Responses;
import dev.peregrine.rpc.Status;

/** Does what {@code streams.proto} promises, in blocking style. Any thread. */
public final class Streams implements StreamsService {

  @Override
  public void download(DownloadRequest request, Responses<Item> responses, Context context) {
    ByteString payload = ByteString.copyFrom(new byte[request.getPayloadBytes()]);
    for (int i = 0; i < request.getItems(); i++) {
      pause(request.getPauseMillis());
      responses.send(Item.newBuilder().setNumber(i).setPayload(payload).build());
    }
    Status.Code code = Status.Code.of(request.getCode());
    if (code != Status.Code.OK) {
      throw Status.of(code).withMessage(request.getText()).exception();
    }
  }

  private static void pause(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Status.CANCELLED.exception();
    }
  }

  @Override
  public UploadResponse upload(Requests<Item> requests, Context context) {
    UploadResponse.Builder sum = UploadResponse.newBuilder();
    for (Item item : requests) {
      sum.setItems(sum.getItems() + 1);
      sum.setPayloadBytes(sum.getPayloadBytes() + item.getPayload().size());
    }
    return sum.build();
  }

  @Override
  public void chat(Requests<Item> requests, Responses<Item> responses, Context context) {
    for (Item item : requests) {
      responses.send(item);
    }
  }
}
