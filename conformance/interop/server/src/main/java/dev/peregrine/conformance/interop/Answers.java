package dev.peregrine.conformance.interop;

import com.google.protobuf.ByteString;
import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Status;
import io.grpc.testing.integration.Messages.BoolValue;
import io.grpc.testing.integration.Messages.EchoStatus;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.PayloadType;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestService;
import java.util.UUID;

/** What requests ask for, whatever the style of the handler. Any thread. */
final class Answers {

  /** UnaryCall, with requests that tell whether they were compressed. */
  static final Method<Received<SimpleRequest>, SimpleResponse> UNARY_CALL =
      witnessed(TestService.UNARY_CALL);

  /** StreamingInputCall, with requests that tell whether they were compressed. */
  static final Method<Received<StreamingInputCallRequest>, StreamingInputCallResponse>
      STREAMING_INPUT_CALL = witnessed(TestService.STREAMING_INPUT_CALL);

  private static final String LOAD_TRAILER = "endpoint-load-metrics-bin";
  private static final String ECHO_HEADER = "x-grpc-test-echo-initial";
  private static final String ECHO_TRAILER = "x-grpc-test-echo-trailing-bin";

  /** No client asks for more; nor may a request cost more memory. */
  private static final int MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;

  /** Tells the servers of a test apart. */
  private static final String SERVER_ID = UUID.randomUUID().toString();

  private Answers() {}

  private static <Q, R> Method<Received<Q>, R> witnessed(Method<Q, R> method) {
    return Method.of(
        method.fullName(),
        method.kind(),
        new ReceivedCodec<>(method.requestCodec()),
        method.responseCodec());
  }

  /** Answers UnaryCall. */
  static SimpleResponse simple(Received<SimpleRequest> received, Context context) {
    SimpleRequest request = received.message();
    requireCompressed(request.getExpectCompressed(), request.hasExpectCompressed(), received);
    echo(context);
    fail(request.getResponseStatus());
    if (request.hasOrcaPerQueryReport()) {
      context
          .responseTrailers()
          .addBinary(
              LOAD_TRAILER, LoadReports.report(request.getOrcaPerQueryReport()).toByteArray());
    }
    context.compressResponses(request.getResponseCompressed().getValue());
    SimpleResponse.Builder response =
        SimpleResponse.newBuilder()
            .setPayload(payload(request.getResponseType(), request.getResponseSize()));
    if (request.getFillServerId()) {
      response.setServerId(SERVER_ID);
    }
    return response.build();
  }

  /** Takes one message of StreamingInputCall: the size of its payload. */
  static int inputBytes(Received<StreamingInputCallRequest> received) {
    StreamingInputCallRequest request = received.message();
    requireCompressed(request.getExpectCompressed(), request.hasExpectCompressed(), received);
    return request.getPayload().getBody().size();
  }

  /** One response of a stream; sets whether it is to be compressed. */
  static StreamingOutputCallResponse output(
      StreamingOutputCallRequest request, ResponseParameters parameters, Context context) {
    context.compressResponses(parameters.getCompressed().getValue());
    return StreamingOutputCallResponse.newBuilder()
        .setPayload(payload(request.getResponseType(), parameters.getSize()))
        .build();
  }

  /** Sends back the metadata that is meant to come back. */
  static void echo(Context context) {
    String header = context.metadata().get(ECHO_HEADER);
    if (header != null) {
      context.responseHeaders().add(ECHO_HEADER, header);
    }
    byte[] trailer = context.metadata().getBinary(ECHO_TRAILER);
    if (trailer != null) {
      context.responseTrailers().addBinary(ECHO_TRAILER, trailer);
    }
  }

  /** Fails a call whose request says so. */
  static void fail(EchoStatus wanted) {
    if (wanted.getCode() != 0) {
      throw Status.of(Status.Code.of(wanted.getCode()))
          .withMessage(wanted.getMessage())
          .exception();
    }
  }

  private static void requireCompressed(BoolValue expected, boolean given, Received<?> received) {
    if (given && expected.getValue() != received.compressed()) {
      throw Status.INVALID_ARGUMENT
          .withMessage(
              received.compressed()
                  ? "the request was not to be compressed"
                  : "the request was to be compressed")
          .exception();
    }
  }

  private static Payload payload(PayloadType type, int bytes) {
    if (type != PayloadType.COMPRESSABLE || bytes < 0 || bytes > MAX_PAYLOAD_BYTES) {
      throw Status.INVALID_ARGUMENT
          .withMessage("a payload of type " + type + " and " + bytes + " bytes")
          .exception();
    }
    return Payload.newBuilder().setType(type).setBody(ByteString.copyFrom(new byte[bytes])).build();
  }
}
