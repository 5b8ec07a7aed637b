package dev.peregrine.conformance.connect;

import com.google.protobuf.Any;
import connectrpc.conformance.v1.ConformanceService;
import connectrpc.conformance.v1.Service.BidiStreamRequest;
import connectrpc.conformance.v1.Service.BidiStreamResponse;
import connectrpc.conformance.v1.Service.ClientStreamRequest;
import connectrpc.conformance.v1.Service.ClientStreamResponse;
import connectrpc.conformance.v1.Service.ConformancePayload;
import connectrpc.conformance.v1.Service.IdempotentUnaryRequest;
import connectrpc.conformance.v1.Service.IdempotentUnaryResponse;
import connectrpc.conformance.v1.Service.ServerStreamRequest;
import connectrpc.conformance.v1.Service.ServerStreamResponse;
import connectrpc.conformance.v1.Service.UnaryRequest;
import connectrpc.conformance.v1.Service.UnaryResponse;
import connectrpc.conformance.v1.Service.UnaryResponseDefinition;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Requests;
import dev.peregrine.rpc.Responses;
import dev.peregrine.rpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The suite's service in blocking style. Handler threads.
 *
 * <p>{@code Unimplemented} is left as it is generated.
 */
final class BlockingConformance implements ConformanceService {

  @Override
  public UnaryResponse unary(UnaryRequest request, Context context) {
    return UnaryResponse.newBuilder()
        .setPayload(answer(request.getResponseDefinition(), List.of(Any.pack(request)), context))
        .build();
  }

  @Override
  public IdempotentUnaryResponse idempotentUnary(IdempotentUnaryRequest request, Context context) {
    return IdempotentUnaryResponse.newBuilder()
        .setPayload(answer(request.getResponseDefinition(), List.of(Any.pack(request)), context))
        .build();
  }

  @Override
  public void serverStream(
      ServerStreamRequest request, Responses<ServerStreamResponse> responses, Context context) {
    StreamAnswer answer = new StreamAnswer(request.getResponseDefinition(), context);
    finish(
        answer,
        List.of(Any.pack(request)),
        responses,
        payload -> ServerStreamResponse.newBuilder().setPayload(payload).build());
  }

  @Override
  public ClientStreamResponse clientStream(
      Requests<ClientStreamRequest> requests, Context context) {
    UnaryResponseDefinition definition = UnaryResponseDefinition.getDefaultInstance();
    List<Any> received = new ArrayList<>();
    for (ClientStreamRequest request : requests) {
      if (received.isEmpty()) {
        definition = request.getResponseDefinition();
      }
      received.add(Any.pack(request));
    }
    return ClientStreamResponse.newBuilder()
        .setPayload(answer(definition, received, context))
        .build();
  }

  @Override
  public void bidiStream(
      Requests<BidiStreamRequest> requests,
      Responses<BidiStreamResponse> responses,
      Context context) {
    StreamAnswer answer = null;
    boolean fullDuplex = false;
    List<Any> received = new ArrayList<>();
    for (BidiStreamRequest request : requests) {
      received.add(Any.pack(request));
      if (answer == null) {
        answer = new StreamAnswer(request.getResponseDefinition(), context);
        fullDuplex = request.getFullDuplex();
      }
      if (fullDuplex) {
        if (!answer.hasNext()) {
          break;
        }
        pause(answer.delayMillis());
        responses.send(bidi(answer.next(received)));
        received.clear();
      }
    }
    if (answer != null) {
      finish(answer, received, responses, BlockingConformance::bidi);
    }
  }

  private static BidiStreamResponse bidi(ConformancePayload payload) {
    return BidiStreamResponse.newBuilder().setPayload(payload).build();
  }

  private static ConformancePayload answer(
      UnaryResponseDefinition definition, List<Any> requests, Context context) {
    UnaryAnswer answer = UnaryAnswer.of(definition, requests, context);
    pause(answer.delayMillis());
    if (!answer.status().isOk()) {
      throw answer.status().exception();
    }
    return answer.payload();
  }

  /** Sends the responses that are left, then fails if that is asked for. */
  private static <R> void finish(
      StreamAnswer answer,
      List<Any> requests,
      Responses<R> responses,
      Function<ConformancePayload, R> wrap) {
    List<Any> untold = requests;
    while (answer.hasNext()) {
      pause(answer.delayMillis());
      responses.send(wrap.apply(answer.next(untold)));
      untold = List.of();
    }
    Status status = answer.end(untold);
    if (!status.isOk()) {
      throw status.exception();
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Status.CANCELLED.withMessage("interrupted while it waited").exception();
    }
  }
}
