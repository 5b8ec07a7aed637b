package dev.peregrine.conformance.connect;

import com.google.protobuf.Any;
import connectrpc.conformance.v1.Service.ConformancePayload;
import dev.peregrine.rpc.Call;
import java.util.List;
import java.util.function.Function;

/**
 * Sends the responses that are left, then ends the call: in event-driven style, a step each.
 *
 * @param <R> the response message
 */
record StreamFinish<R>(
    Call<R> call, StreamAnswer answer, Steps steps, Function<ConformancePayload, R> wrap) {

  /**
   * Adds the next step, which adds the one after it.
   *
   * @param requests those that were received since the last response
   */
  void run(List<Any> requests) {
    if (answer.hasNext()) {
      steps.then(
          answer.delayMillis(),
          () -> {
            call.send(wrap.apply(answer.next(requests)));
            run(List.of());
          });
    } else {
      call.close(answer.end(requests));
    }
  }
}
