package dev.peregrine.conformance.interop;

import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestService;

/** The interop service in event-driven style: never blocks, so it may run inline. */
final class EventDrivenTestService implements Service {

  private final LoadReports reports;

  EventDrivenTestService(LoadReports reports) {
    this.reports = reports;
  }

  @Override
  public ServiceDefinition definition() {
    // The generated definition brings UnimplementedCall, and the descriptor.
    return new TestService() {}.definition()
        .unary(TestService.EMPTY_CALL, (request, context) -> Empty.getDefaultInstance())
        .unary(Answers.UNARY_CALL, Answers::simple)
        .eventDriven(Answers.STREAMING_INPUT_CALL, Total::new)
        .eventDriven(TestService.STREAMING_OUTPUT_CALL, output(true))
        .eventDriven(TestService.FULL_DUPLEX_CALL, output(true))
        .eventDriven(TestService.HALF_DUPLEX_CALL, output(false));
  }

  /** Adds up what a client sends. Told one thing at a time. */
  private static final class Total implements CallListener<Received<StreamingInputCallRequest>> {
    private final Call<StreamingInputCallResponse> call;
    private int bytes;

    Total(Call<StreamingInputCallResponse> call) {
      this.call = call;
    }

    @Override
    public void onMessage(Received<StreamingInputCallRequest> request) {
      bytes += Answers.inputBytes(request);
      call.request(1);
    }

    @Override
    public void onHalfClose() {
      call.send(StreamingInputCallResponse.newBuilder().setAggregatedPayloadSize(bytes).build());
      call.close(Status.OK);
    }
  }

  private Handler.EventDriven<StreamingOutputCallRequest, StreamingOutputCallResponse> output(
      boolean atOnce) {
    return call -> {
      Answers.echo(call.context());
      return new OutputPump(call, atOnce, reports);
    };
  }
}
