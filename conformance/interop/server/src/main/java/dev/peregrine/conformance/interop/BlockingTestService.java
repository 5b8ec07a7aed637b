package dev.peregrine.conformance.interop;

import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Requests;
import dev.peregrine.rpc.Responses;
import dev.peregrine.rpc.ServiceDefinition;
import dev.peregrine.rpc.Status;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The interop service in blocking style. Handler threads.
 *
 * <p>{@code UnimplementedCall} is left as it is generated.
 */
final class BlockingTestService implements TestService {

  private final LoadReports reports;

  BlockingTestService(LoadReports reports) {
    this.reports = reports;
  }

  @Override
  public ServiceDefinition definition() {
    return TestService.super
        .definition()
        .unary(Answers.UNARY_CALL, Answers::simple)
        .clientStreaming(Answers.STREAMING_INPUT_CALL, BlockingTestService::total);
  }

  @Override
  public Empty emptyCall(Empty request, Context context) {
    return Empty.getDefaultInstance();
  }

  private static StreamingInputCallResponse total(
      Requests<Received<StreamingInputCallRequest>> requests, Context context) {
    int bytes = 0;
    for (Received<StreamingInputCallRequest> request : requests) {
      bytes += Answers.inputBytes(request);
    }
    return StreamingInputCallResponse.newBuilder().setAggregatedPayloadSize(bytes).build();
  }

  @Override
  public void streamingOutputCall(
      StreamingOutputCallRequest request,
      Responses<StreamingOutputCallResponse> responses,
      Context context) {
    Answers.echo(context);
    respond(request, responses, context);
  }

  @Override
  public void fullDuplexCall(
      Requests<StreamingOutputCallRequest> requests,
      Responses<StreamingOutputCallResponse> responses,
      Context context) {
    Answers.echo(context);
    for (StreamingOutputCallRequest request : requests) {
      reports.take(request);
      respond(request, responses, context);
    }
  }

  @Override
  public void halfDuplexCall(
      Requests<StreamingOutputCallRequest> requests,
      Responses<StreamingOutputCallResponse> responses,
      Context context) {
    List<StreamingOutputCallRequest> all = new ArrayList<>();
    requests.forEach(all::add);
    for (StreamingOutputCallRequest request : all) {
      respond(request, responses, context);
    }
  }

  private static void respond(
      StreamingOutputCallRequest request,
      Responses<StreamingOutputCallResponse> responses,
      Context context) {
    Answers.fail(request.getResponseStatus());
    for (ResponseParameters parameters : request.getResponseParametersList()) {
      pause(parameters.getIntervalUs());
      responses.send(Answers.output(request, parameters, context));
    }
  }

  private static void pause(int micros) {
    try {
      TimeUnit.MICROSECONDS.sleep(micros);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Status.CANCELLED.withMessage("interrupted while it waited").exception();
    }
  }
}
