package dev.peregrine.conformance.connect;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import connectrpc.conformance.v1.ConformanceService;
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
import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The suite's service in event-driven style: never blocks, so it may run inline. */
final class EventDrivenConformance implements Service {

  @Override
  public ServiceDefinition definition() {
    // The generated definition brings Unimplemented, and the descriptor.
    return new ConformanceService() {}.definition()
        .eventDriven(
            ConformanceService.UNARY,
            oneByOne(
                UnaryRequest::getResponseDefinition,
                payload -> UnaryResponse.newBuilder().setPayload(payload).build()))
        .eventDriven(
            ConformanceService.IDEMPOTENT_UNARY,
            oneByOne(
                IdempotentUnaryRequest::getResponseDefinition,
                payload -> IdempotentUnaryResponse.newBuilder().setPayload(payload).build()))
        .eventDriven(
            ConformanceService.CLIENT_STREAM,
            oneByOne(
                ClientStreamRequest::getResponseDefinition,
                payload -> ClientStreamResponse.newBuilder().setPayload(payload).build()))
        .eventDriven(ConformanceService.SERVER_STREAM, EventDrivenConformance::serverStream)
        .eventDriven(
            ConformanceService.BIDI_STREAM,
            call ->
                new BidiListener(
                    call, payload -> BidiStreamResponse.newBuilder().setPayload(payload).build()));
  }

  private static <Q extends Message, R> Handler.EventDriven<Q, R> oneByOne(
      Function<Q, UnaryResponseDefinition> definition, Function<ConformancePayload, R> wrap) {
    return call -> new OneResponse<>(call, definition, wrap);
  }

  /** Answers a call once it has all requests. */
  private static final class OneResponse<Q extends Message, R> implements CallListener<Q> {
    private final Call<R> call;
    private final Function<Q, UnaryResponseDefinition> definition;
    private final Function<ConformancePayload, R> wrap;
    private final List<Any> received = new ArrayList<>();
    private UnaryResponseDefinition first = UnaryResponseDefinition.getDefaultInstance();

    OneResponse(
        Call<R> call,
        Function<Q, UnaryResponseDefinition> definition,
        Function<ConformancePayload, R> wrap) {
      this.call = call;
      this.definition = definition;
      this.wrap = wrap;
    }

    @Override
    public void onMessage(Q message) {
      if (received.isEmpty()) {
        first = definition.apply(message);
      }
      received.add(Any.pack(message));
      call.request(1);
    }

    @Override
    public void onHalfClose() {
      UnaryAnswer answer = UnaryAnswer.of(first, received, call.context());
      new Steps(call)
          .then(
              answer.delayMillis(),
              () -> {
                if (answer.status().isOk()) {
                  call.send(wrap.apply(answer.payload()));
                }
                call.close(answer.status());
              });
    }
  }

  private static CallListener<ServerStreamRequest> serverStream(Call<ServerStreamResponse> call) {
    return request -> {
      StreamAnswer answer = new StreamAnswer(request.getResponseDefinition(), call.context());
      new StreamFinish<>(
              call,
              answer,
              new Steps(call),
              payload -> ServerStreamResponse.newBuilder().setPayload(payload).build())
          .run(List.of(Any.pack(request)));
    };
  }
}
