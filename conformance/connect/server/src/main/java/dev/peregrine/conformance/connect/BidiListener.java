package dev.peregrine.conformance.connect;

import com.google.protobuf.Any;
import connectrpc.conformance.v1.Service.BidiStreamRequest;
import connectrpc.conformance.v1.Service.BidiStreamResponse;
import connectrpc.conformance.v1.Service.ConformancePayload;
import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Answers each request as it comes (full duplex), or all once the client is done (half duplex), as
 * the first request says. Told one thing at a time.
 */
final class BidiListener implements CallListener<BidiStreamRequest> {

  private final Call<BidiStreamResponse> call;
  private final Function<ConformancePayload, BidiStreamResponse> wrap;
  private final Steps steps;
  private final List<Any> received = new ArrayList<>();
  private StreamAnswer answer;
  private boolean fullDuplex;

  BidiListener(
      Call<BidiStreamResponse> call, Function<ConformancePayload, BidiStreamResponse> wrap) {
    this.call = call;
    this.wrap = wrap;
    this.steps = new Steps(call);
  }

  @Override
  public void onMessage(BidiStreamRequest request) {
    if (answer == null) {
      answer = new StreamAnswer(request.getResponseDefinition(), call.context());
      fullDuplex = request.getFullDuplex();
    }
    if (fullDuplex) {
      steps.then(answer.hasNext() ? answer.delayMillis() : 0, () -> respond(request));
    } else {
      received.add(Any.pack(request));
      call.request(1);
    }
  }

  /** Answers one request; the next is let in only then, so that it finds this step done. */
  private void respond(BidiStreamRequest request) {
    List<Any> requests = List.of(Any.pack(request));
    if (answer.hasNext()) {
      call.send(wrap.apply(answer.next(requests)));
      call.request(1);
    } else {
      call.close(answer.end(requests));
    }
  }

  @Override
  public void onHalfClose() {
    if (answer == null) {
      call.close(Status.OK);
    } else {
      steps.then(0, () -> new StreamFinish<>(call, answer, steps, wrap).run(received));
    }
  }
}
