package dev.peregrine.conformance.interop;

import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Status;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Sends the responses that requests ask for: in order, each after its interval, none before the
 * client takes it. The listener's thread, and that of the timer: hence the lock.
 */
final class OutputPump implements CallListener<StreamingOutputCallRequest> {

  private record Wanted(StreamingOutputCallRequest request, ResponseParameters parameters) {}

  private final Call<StreamingOutputCallResponse> call;
  private final boolean atOnce;
  private final LoadReports reports;
  private final Queue<Wanted> wanted = new ArrayDeque<>();
  private boolean waiting;
  private boolean waited;
  private boolean asked;
  private boolean halfClosed;

  /**
   * A pump for a call.
   *
   * @param atOnce whether requests are answered as they come, or once the client has sent its last
   */
  OutputPump(Call<StreamingOutputCallResponse> call, boolean atOnce, LoadReports reports) {
    this.call = call;
    this.atOnce = atOnce;
    this.reports = reports;
  }

  @Override
  public synchronized void onMessage(StreamingOutputCallRequest request) {
    asked = false;
    reports.take(request);
    Answers.fail(request.getResponseStatus());
    for (ResponseParameters parameters : request.getResponseParametersList()) {
      wanted.add(new Wanted(request, parameters));
    }
    if (atOnce) {
      run();
    } else {
      asked = true;
      call.request(1);
    }
  }

  @Override
  public synchronized void onHalfClose() {
    halfClosed = true;
    run();
  }

  @Override
  public synchronized void onReady() {
    run();
  }

  private synchronized void waitIsOver() {
    waiting = false;
    waited = true;
    run();
  }

  private void run() {
    while (!waiting && !wanted.isEmpty()) {
      ResponseParameters parameters = wanted.element().parameters();
      if (parameters.getIntervalUs() > 0 && !waited) {
        waiting = true;
        Executor timer =
            CompletableFuture.delayedExecutor(parameters.getIntervalUs(), TimeUnit.MICROSECONDS);
        timer.execute(this::waitIsOver);
        return;
      }
      if (!call.ready()) {
        // onReady goes on.
        return;
      }
      waited = false;
      call.send(Answers.output(wanted.remove().request(), parameters, call.context()));
    }
    if (!waiting && halfClosed) {
      call.close(Status.OK);
    } else if (!waiting && !asked) {
      asked = true;
      call.request(1);
    }
  }
}
